"""Makes the table of docs/speed.md and the chart of the README out of docs/bench.json.

    python docs/bench.py                              # the table and the chart, from docs/bench.json
    python docs/bench.py --from out/bench/bench.json  # docs/bench.json first, from what `make bench` wrote
    python docs/bench.py --cores-from bench.json      # the numbers of a machine with many cores: what
                                                      # `bench.py --cores 1 2 4 8 16` wrote there

The numbers stand in docs/bench.json and nowhere else. `tests/docs` compares.
"""

import argparse
import json
import pathlib
import statistics
from xml.sax.saxutils import escape

DOCS = pathlib.Path(__file__).resolve().parent
DATA, PAGE, CHART = DOCS / "bench.json", DOCS / "speed.md", DOCS / "pictures" / "bench.svg"
START, END = "<!-- made by docs/bench.py -->", "<!-- until here -->"
START_CORES = "<!-- the cores, made by docs/bench.py -->"
# What bench.py calls the contestants, in the order of the columns.
CONTESTANTS = ["tfqueue", "tfqueue, no chunks", "tf.data", "tfqueue.dataset", "written program"]
TITLES = {
    "mnist_bytes": "MNIST, bytes, shuffle_batch",
    "mnist_in_order": "MNIST, bytes, in order",
    "mnist_int64": "MNIST, int64 lists",
    "cifar_eval": "CIFAR-10 eval",
    "cifar_distorted": "CIFAR-10 distorted",
    "csv_cond": "CSV with a tf.cond",
    "csv_default_capacity": "CSV, queue of 32",
    "slices": "slice_input_producer",
    "slices_default_capacity": "slices, queue of 32",
    "voc_one_size": "VOC, one size",
    "voc_many_sizes": "VOC, many sizes",
    "padded_sequences": "padded sequences",
    "jpeg_files": "JPEG files, 2 threads",
    "jpeg_one_thread": "JPEG files, 1 thread",
    "fifo_one_by_one": "FIFOQueue, one by one",
}
"""What the pages call the pipelines of tests/benchmarks/pipelines.py."""
ALONE = ["tfqueue", "tf.data"]
"""Those that are measured on one core too, as multiples of compat.v1 on one."""
SHOWN = ["tfqueue", "hand-written tf.data", "tfqueue, 1 core", "tf.data, 1 core"]
# Two colours of Okabe and Ito's palette, which differ in lightness as well; lighter for one core.
COLOURS = dict(zip(SHOWN, ["#0072B2", "#E69F00", "#56B4E9", "#F0D58C"], strict=True))
WIDTH, LEFT, RIGHT, TOP, BAR, ROW = 830, 200, 60, 34, 8, 44


def taken_over(path, old):
    """docs/bench.json with the ratios that `make bench` measured."""
    measured = json.loads(pathlib.Path(path).read_text("utf-8"))
    alone = measured.get("ratios_by_cores", {}).get("1", {})
    rows = []
    for name, found in measured["ratios"].items():
        cells = [rounded(found.get(who)) for who in CONTESTANTS]
        cells += [rounded(alone.get(name, {}).get(who)) for who in ALONE]
        rows.append([TITLES.get(name, name), *cells])
    return {**old, "rows": rows}


def cores_taken_over(path, old):
    """docs/bench.json with the ratios that were measured on several numbers of cores.

    tfqueue's, as multiples of compat.v1 and of hand-written tf.data on as many.
    """
    measured = json.loads(pathlib.Path(path).read_text("utf-8"))["ratios_by_cores"]
    rows = []
    for name in next(iter(measured.values())):
        found = [of_cores[name] for of_cores in measured.values()]
        peer = [rounded(each["tfqueue"]) for each in found]
        by_hand = [rounded(quotients(each["tfqueue"], each["tf.data"])) for each in found]
        rows.append([TITLES[name], *peer, *by_hand])
    counts = [f"{count} cores" if count != "1" else "1 core" for count in measured]
    columns = [f"{other}, {count}" for other in ("compat.v1", "tf.data") for count in counts]
    return {**old, "cores": {**old["cores"], "columns": columns, "rows": rows}}


def quotients(some, others):
    """The ratios of some rounds to those of others."""
    return [[a / b for a, b in zip(*pair, strict=True)] for pair in zip(some, others, strict=True)]


def rounded(rounds):
    """The median of the rounds' ratios by time, as it is printed; None if there are none."""
    if not rounds:
        return None
    value = statistics.median(by_time for by_time, _ in rounds)
    return float(f"{value:.2g}" if value > 2 else f"{value:.2f}")


def table(data):
    """The numbers as Markdown."""
    columns = data["columns"]
    lines = [f"| pipeline | {' | '.join(columns)} |", "|---|" + "--:|" * len(columns)]
    for name, *values in data["rows"]:
        cells = ["-" if value is None else f"{value:g}" for value in values]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def chart(data):
    """Four bars a pipeline, as SVG."""
    columns = [data["columns"].index(name) + 1 for name in SHOWN]
    most = max(row[column] or 0 for row in data["rows"] for column in columns)
    step = 5 if most <= 40 else 10
    scale = (WIDTH - LEFT - RIGHT) / (most * 1.02)
    height = TOP + ROW * len(data["rows"]) + 34
    base = TOP + ROW * len(data["rows"]) + 4
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="bench" role="img" width="{WIDTH}" '
        f'height="{height}" viewBox="0 0 {WIDTH} {height}" style="max-width:100%;height:auto">',
        "<title>Examples a second, as multiples of tensorflow.compat.v1</title>",
        "<style>.bench{background:#fff}.bench text{font:12px 'Segoe UI','Helvetica Neue',Arial,"
        "'DejaVu Sans',sans-serif;fill:#1f2a37}.bench .soft{fill:#5b6774}.bench line{stroke:#d9dee4}"
        ".bench .one{stroke:#77828f}@media (prefers-color-scheme:dark){.bench{background:#161b22}"
        ".bench text{fill:#e8ecf1}.bench .soft{fill:#a5b0bc}.bench line{stroke:#30363d}"
        ".bench .one{stroke:#8793a0}}</style>",
    ]
    at = 12
    for name in SHOWN:
        out.append(f'<rect x="{at}" y="10" width="12" height="12" fill="{COLOURS[name]}"/>')
        out.append(f'<text x="{at + 18}" y="20">{escape(name)}</text>')
        at += 40 + 6 * len(name)
    out.append(
        f'<text class="soft" x="{WIDTH - 12}" y="20" text-anchor="end">multiples of compat.v1</text>'
    )
    for mark in [1, *range(step, int(most) + 1, step)]:
        x = round(LEFT + mark * scale, 1)
        kind = ' class="one"' if mark == 1 else ""
        out.append(f'<line{kind} x1="{x}" y1="{TOP}" x2="{x}" y2="{base}"/>')
        out.append(f'<text class="soft" x="{x}" y="{base + 16}" text-anchor="middle">{mark}</text>')
    for number, row in enumerate(data["rows"]):
        y = TOP + ROW * number + 4
        out.append(f'<text x="{LEFT - 10}" y="{y + 22}" text-anchor="end">{escape(row[0])}</text>')
        for place, (name, column) in enumerate(zip(SHOWN, columns, strict=True)):
            value, top = row[column], y + place * (BAR + 1)
            if value is None:
                continue
            width = round(value * scale, 1)
            out.append(
                f'<rect x="{LEFT}" y="{top}" width="{width}" height="{BAR}" fill="{COLOURS[name]}">'
                f"<title>{escape(row[0])}: {escape(name)} {value:g}</title></rect>"
            )
            out.append(
                f'<text class="soft" x="{LEFT + width + 5}" y="{top + 8}" '
                f'style="font-size:9px">{value:g}</text>'
            )
    return "\n".join([*out, "</svg>"]) + "\n"


def page(text, data):
    """docs/speed.md with the tables of these numbers."""
    for start, numbers in ((START, data), (START_CORES, data["cores"])):
        before, _, rest = text.partition(start)
        _, _, after = rest.partition(END)
        text = f"{before}{start}\n{numbers['about']}\n\n{table(numbers)}\n{END}{after}"
    return text


def written(numbers, indent):
    """A table as JSON, a line for each row."""
    rows = ",\n".join(f"{indent}  {json.dumps(row)}" for row in numbers["rows"])
    return (
        f'{indent}"about": {json.dumps(numbers["about"])},\n'
        f'{indent}"columns": {json.dumps(numbers["columns"])},\n'
        f'{indent}"rows": [\n{rows}\n{indent}]'
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--from", dest="source", metavar="JSON", help="what `make bench` wrote")
    parser.add_argument("--cores-from", metavar="JSON", help="what it wrote for numbers of cores")
    chosen = parser.parse_args()
    data = json.loads(DATA.read_text("utf-8"))
    if chosen.source:
        data = taken_over(chosen.source, data)
    if chosen.cores_from:
        data = cores_taken_over(chosen.cores_from, data)
    cores = written(data["cores"], "    ")
    DATA.write_text(f'{{\n{written(data, "  ")},\n  "cores": {{\n{cores}\n  }}\n}}\n', "utf-8")
    CHART.write_text(chart(data), "utf-8")
    PAGE.write_text(page(PAGE.read_text("utf-8"), data), "utf-8")


if __name__ == "__main__":
    main()
