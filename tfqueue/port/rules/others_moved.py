"""pandas, scikit-learn and matplotlib: names that input programs used and that moved.

https://pandas.pydata.org/docs/whatsnew/v1.0.0.html#removal-of-prior-version-deprecations-changes
"""

import ast

from tfqueue.port import moves
from tfqueue.port.edits import Edit

WORDS = ("as_matrix", "sklearn", "matplotlib", "cross_validation")
_SPLIT = ["train_test_split", "KFold", "StratifiedKFold", "cross_val_score", "ShuffleSplit"]
_ROWS = {
    **{f"sklearn.cross_validation.{n}": f"sklearn.model_selection.{n}" for n in _SPLIT},
    "sklearn.grid_search.GridSearchCV": "sklearn.model_selection.GridSearchCV",
    "sklearn.externals.joblib": "joblib",
    "sklearn.preprocessing.Imputer": "sklearn.impute.SimpleImputer",
}
_WHY = {old: f"{old} is {new} today" for old, new in _ROWS.items()}


def find(module):
    """Finds moved names, `frame.as_matrix()`, and `plt.hold(True)`."""
    yield from moves.find(module, _ROWS, _WHY)
    for call in module.nodes[ast.Call]:
        func = call.func
        if (
            isinstance(func, ast.Attribute)
            and func.attr == "as_matrix"
            and not call.args
            and not call.keywords
        ):
            end = module.end(func)
            edit = Edit(end - len("as_matrix"), end, "to_numpy")
            yield module.finding(call, "as_matrix is to_numpy since pandas 1.0", [edit])
    for call, dotted in module.calls:
        if dotted == "matplotlib.pyplot.hold" and isinstance(module.parents[call], ast.Expr):
            message = "plt.hold is gone since matplotlib 3.0: plots always add"
            yield module.finding(call, message, [module.replace(call, "pass")])
