"""What `tf.estimator.train_and_evaluate` does with a model after each evaluation: the exporters."""

import inspect
import os
from collections.abc import Callable
from typing import Any

from tfqueue import _tensorflow
from tfqueue.estimator import _export
from tfqueue.v1._signatures import constructor
from tfqueue.v1._types import Estimator

_tf = _tensorflow.compat_v1()


class Exporter:
    """Exports an estimator (`tf.estimator.Exporter`); to be derived from.

    Attributes:
        name: The folder of its exports, below `export` in the model's folder.
    """

    name: Any = None

    def export(self, *args: Any, **kwargs: Any) -> Any:
        """Exports a model, or decides not to.

        Args:
            export_path: Folder of the exports.
            checkpoint_path: The checkpoint of the model.
            eval_result: What `Estimator.evaluate` gave for it.
            is_the_final_export: Whether the training has ended.

        Returns:
            The new folder, or None.
        """
        raise NotImplementedError


class _SavedModelExporter(Exporter):
    """Writes a SavedModel, where `_wants` says so."""

    def __init__(
        self,
        name: str,
        serving_input_receiver_fn: Callable[..., Any],
        assets_extra: dict[str, str] | None = None,
        as_text: bool = False,
        exports_to_keep: int | None = 5,
    ) -> None:
        if exports_to_keep is not None and exports_to_keep <= 0:
            raise ValueError(f"`exports_to_keep` must be a positive number: {exports_to_keep}")
        self.name = name
        self._receiver_fn, self._assets_extra = serving_input_receiver_fn, assets_extra
        self._as_text, self._kept = as_text, exports_to_keep

    def _wants(self, estimator: Estimator, eval_result: dict[str, Any], is_final: bool) -> bool:
        """Whether the model is written."""
        return True

    def export(
        self,
        estimator: Estimator,
        export_path: str,
        checkpoint_path: str,
        eval_result: dict[str, Any],
        is_the_final_export: bool,
    ) -> Any:
        """See `Exporter`."""
        if not self._wants(estimator, eval_result, is_the_final_export):
            return None
        folder = estimator.export_saved_model(
            export_path,
            self._receiver_fn,
            assets_extra=self._assets_extra,
            as_text=self._as_text,
            checkpoint_path=checkpoint_path,
        )
        _export.keep(export_path, self._kept)
        return folder


class FinalExporter(_SavedModelExporter):
    """Exports once, when the training has ended (`tf.estimator.FinalExporter`).

    Args:
        name: Folder of the export.
        others: As for `Estimator.export_savedmodel`.
    """

    __init__ = constructor("name serving_input_receiver_fn assets_extra=None as_text=False")

    def _init_with(self, given: dict[str, Any]) -> None:
        super().__init__(**given, exports_to_keep=None)

    def _wants(self, estimator: Estimator, eval_result: dict[str, Any], is_final: bool) -> bool:
        """Whether the training has ended, at `TrainSpec.max_steps`."""
        return is_final


class LatestExporter(_SavedModelExporter):
    """Exports after each evaluation (`tf.estimator.LatestExporter`).

    Args:
        name: As for `BestExporter`, as are the others.
        serving_input_receiver_fn: See there.
        assets_extra: See there.
        as_text: See there.
        exports_to_keep: See there.

    Raises:
        ValueError: If `exports_to_keep` is not positive.
    """


def _loss_smaller(best_eval_result: dict[str, Any], current_eval_result: dict[str, Any]) -> bool:
    for name, result in (("best", best_eval_result), ("current", current_eval_result)):
        if not result or "loss" not in result:
            raise ValueError(f"{name}_eval_result cannot be empty or no loss is found in it.")
    return best_eval_result["loss"] > current_eval_result["loss"]


class BestExporter(_SavedModelExporter):
    """Exports after each evaluation that is better than all before (`tf.estimator.BestExporter`).

    Args:
        name: Folder of the exports.
        event_file_pattern: Where earlier evaluations are, below the model's folder; none when None.
            The evaluation of the model that is to be exported is there, too, in TensorFlow as here.
        compare_fn: Function of `best_eval_result` and `current_eval_result`: whether the second is
            better; by their loss if it is not given.
        exports_to_keep: int, how many stay; all when None.
        others: As for `Estimator.export_savedmodel`.

    Raises:
        ValueError: If `exports_to_keep` is not positive, or `compare_fn` takes other arguments.
    """

    __init__ = constructor(
        "name='best_exporter' serving_input_receiver_fn=None "
        "event_file_pattern='eval/*.tfevents.*' compare_fn=smaller assets_extra=None as_text=False "
        "exports_to_keep=5",
        compare_fn=_loss_smaller,
    )

    def _init_with(self, given: dict[str, Any]) -> None:
        self._better, self._pattern = given.pop("compare_fn"), given.pop("event_file_pattern")
        if self._better is None:
            raise ValueError("`compare_fn` must not be None.")
        names = set(inspect.signature(self._better).parameters)
        if names != {"best_eval_result", "current_eval_result"}:
            raise ValueError(
                "compare_fn must take best_eval_result and current_eval_result, not "
                f"{sorted(names)}."
            )
        super().__init__(**given)
        self._model_dir: str | None = None
        self._best: dict[str, Any] | None = None

    def _wants(self, estimator: Estimator, eval_result: dict[str, Any], is_final: bool) -> bool:
        """Whether the evaluation is better than the best before, which is then this one."""
        if self._pattern and self._model_dir != estimator.model_dir:
            self._model_dir = estimator.model_dir
            self._best = self._best_of(os.path.join(estimator.model_dir, self._pattern))
        better = self._best is None or self._better(
            best_eval_result=self._best, current_eval_result=eval_result
        )
        if better:
            self._best = eval_result
        return bool(better)

    def _best_of(self, pattern: str) -> dict[str, Any] | None:
        """The best evaluation in files of summaries, or None."""
        best = None
        for path in _tf.gfile.Glob(pattern):
            for event in _tf.train.summary_iterator(path):
                values = event.summary.value
                found = {
                    each.tag: each.simple_value for each in values if each.HasField("simple_value")
                }
                if found and (
                    best is None or self._better(best_eval_result=best, current_eval_result=found)
                ):
                    best = found
        return best
