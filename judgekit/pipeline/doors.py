"""Names of models in, opened models out, and what all live ones share: pace, cache, ledger, budget."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from judgekit.config import Project
from judgekit.errors import Complaint, InputError, RunStopped
from judgekit.models.base import Model, Reply, Request
from judgekit.models.budget import Budget, BudgetedModel, upper_cost
from judgekit.models.cache import CACHE_FILE, ReplyCache
from judgekit.models.faux import FauxModel
from judgekit.models.kept import KeptModel, may_be_kept
from judgekit.models.keys import key_variable, missing_key
from judgekit.models.ledger import Ledger
from judgekit.models.limits import Limits
from judgekit.models.live import LiveModel, price_of
from judgekit.models.recorded import RecordedModel
from judgekit.pipeline.options import Options

LEDGER_FILE = "calls.jsonl"
_ADDRESSES = ("OPENAI_BASE_URL", "OPENAI_API_BASE")


class Doors:
    """Opens the models of one run; use it in a `with` block, which closes cache and ledger.

    Args:
        project: Its settings hold prices, concurrency, rpm and max_cost.
        options: The flags that win over them.
        faux: The scripted model.
        folder: The run folder, for the ledger of finished calls; None: nothing is recorded.
    """

    def __init__(self, project: Project, options: Options, faux: FauxModel, folder: Path | None) -> None:
        self._settings, self._options, self._faux = project.settings, options, faux
        self._file = project.file
        self._limits = Limits(options.concurrency or self._settings.concurrency, options.rpm or self._settings.rpm)
        self.cache = None if options.no_cache else ReplyCache(project.root / CACHE_FILE)
        self.ledger = Ledger(folder / LEDGER_FILE) if folder else None
        most = self._settings.max_cost if options.max_cost is None else options.max_cost
        spent_usd = self.ledger.spent_usd if self.ledger else 0.0
        self._budget = None if most is None else Budget(most, spent_usd=spent_usd)
        self.live: list[str] = []
        """Names of the live models that were opened."""

    def __enter__(self) -> Doors:
        return self

    def __exit__(self, *_: object) -> None:
        for kept in (self.cache, self.ledger):
            if kept is not None:
                kept.close()

    def open(self, names: Iterable[str]) -> dict[str, Model]:
        """The models by name.

        Raises:
            InputError: a name that is none, a recording that can't be read, or prices that are none.
        """
        return {name: self._open(name) for name in names}

    def raise_missing_keys(self, names: Iterable[str]) -> None:
        """Raise before anything is run if the environment lacks the key of one of these live models.

        Raises:
            RunStopped: which model needs which variable.
        """
        lacking = {name: missing_key(name, self._options.api_base) for name in names}
        said = [f'model "{name}" needs a key: set {variable}.' for name, variable in lacking.items() if variable]
        if said:
            raise RunStopped("\n".join([*said, "Nothing was run."]))

    def raise_unpriced(self, names: Iterable[str]) -> None:
        """Raise if there is a limit of the cost, and no price is known for one of these live models.

        Raises:
            InputError: the first such model.
        """
        for name in names if self._budget else ():
            if price_of(name, self._settings.prices) is None:
                raise InputError(
                    f'--max-cost cannot hold: no price is known for "{name}". '
                    "Give it under `prices` in the settings: {input: USD, output: USD} per million tokens."
                )

    def known(self, hashed: str, request: Request) -> Reply | None:
        """The reply that the run, or an earlier one, has had already; nobody is asked.

        Raises:
            ModelError: the call was finished by an error that asking again would not change.
        """
        again = self.ledger.recall(hashed, request.key) if self.ledger else None
        if again is not None or self.cache is None:
            return again
        kept = self.cache.get(hashed)
        return kept if kept is not None and may_be_kept(kept, request) else None

    def _open(self, name: str) -> Model:
        if name == "faux":
            return self._faux
        scheme, colon, path = name.partition(":")
        if not name.strip() or name.endswith("/") or (scheme == "replay" and colon and not path):
            raise InputError(f'"{name}" names no model: is a variable of the shell not set?')
        if scheme == "replay" and colon:
            return RecordedModel.from_path(Path(path))
        try:
            inner: Model = LiveModel(
                name,
                base_url=self._options.api_base,
                limits=self._limits,
                prices=self._settings.prices,
                strict_params=self._options.strict_params,
            )
        except InputError as problem:
            raise InputError(str(Complaint(self._file, None, str(problem)))) from None
        self.live.append(name)
        price = self._price(name)
        if self._budget is not None:
            inner = BudgetedModel(inner, self._budget, price)
        return KeptModel(inner, base_url=self.address(name), cache=self.cache, ledger=self.ledger, price=price)

    def address(self, name: str) -> str | None:
        """Where a model's calls go, as far as that is chosen: by the flag, else by the environment for OpenAI."""
        if self._options.api_base:
            return self._options.api_base
        if key_variable(name) == "OPENAI_API_KEY":
            return next((os.environ[one] for one in _ADDRESSES if os.environ.get(one)), None)
        return None

    def _price(self, name: str) -> Callable[[Request], float | None]:
        def price(request: Request) -> float | None:
            known = price_of(name, self._settings.prices)
            if known is None:
                return None
            return upper_cost(request, usd_per_input_token=known[0], usd_per_output_token=known[1])

        return price
