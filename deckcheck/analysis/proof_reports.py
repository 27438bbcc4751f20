"""Reports of proofs about formats and comparisons of two formats: text, JSON, and SARIF at the lines of the rules."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from deckcheck.analysis.proofs import ClauseProof, Direction, FormatProof, Inclusion, Refusal, StatusChange
from deckcheck.analysis.witness import Copies
from deckcheck.checking.judge import LoadedFormat
from deckcheck.model.format import Severity, Source
from deckcheck.report.json import SCHEMA, TOOL, json_page
from deckcheck.report.sarif import RuleNote, note_run
from deckcheck.report.wording import LABELS, Label
from deckcheck.support.messages import Message, Words, _, card_name, n_, p_, series, shortened
from deckcheck.support.safe_text import safe


class ProvenFormat(NamedTuple):
    """A format with a proof per day; `days` is the number of days checked for whether any deck is legal."""

    format: LoadedFormat
    proofs: tuple[FormatProof, ...]
    unsatisfiable: tuple[FormatProof, ...]
    days: int

    @property
    def has_problems(self) -> bool:
        """Whether a rule is idle, no deck is legal on some day, or something was not decided."""
        return any(severity != "info" for _source, _id, severity, _text in _notes(self, 0))


_Note = tuple[Source, str, Severity, Words]


def _notes(proven: ProvenFormat, seconds: int) -> Iterator[_Note]:
    """Yields whatever is noteworthy: the place, the rule's id or "unsatisfiable", the severity and the text."""
    source = proven.format.format.source
    undecided = _("not decided within {seconds} s", seconds=seconds)
    proofs = {proof.as_of: proof for proof in (*proven.unsatisfiable, *proven.proofs)}
    for _day, proof in sorted(proofs.items()):
        if proof.legal.state == "none":
            rules = series([rule.id for rule in proof.clash])
            text = _(
                "no deck is legal on {date}; these rules exclude one another: {rules}",
                date=proof.as_of,
                rules=rules,
            )
            place = proof.clash[0].source if proof.clash else source
            yield place, "unsatisfiable", Severity.ERROR, text
        elif proof.legal.state == "open":
            text = _(
                "whether any deck is legal on {date}: {undecided}", date=proof.as_of, undecided=undecided
            )
            yield source, "unsatisfiable", Severity.WARNING, text
        for clause in proof.clauses:
            for severity, words in _clause_notes(clause, undecided):
                yield clause.source, clause.rule.id, severity, words


def _clause_notes(clause: ClauseProof, undecided: Words) -> Iterator[tuple[Severity, Words]]:
    if clause.is_idle:
        yield Severity.WARNING, _idle(clause)
    elif clause.broken.state == "open":
        yield Severity.WARNING, undecided
    if not clause.is_idle and any(bound.state == "none" for bound in clause.bounds):
        yield Severity.INFO, _("no legal deck is exactly on this bound")
    elif any(bound.state == "open" for bound in clause.bounds):
        yield (
            Severity.WARNING,
            _("whether a legal deck is exactly on this bound: {undecided}", undecided=undecided),
        )
    if clause.unplayable:
        names = shortened(list(map(card_name, clause.unplayable)), 5)
        found = n_(
            "{n} card that it bans could not be in a deck without this rule either: {names}",
            "{n} cards that it bans could not be in a deck without this rule either: {names}",
            len(clause.unplayable),
            names=names,
        )
        yield Severity.INFO, found


def _idle(clause: ClauseProof) -> Message:
    """Why a clause has no effect."""
    if not clause.implied_by:
        return _("idle: no deck can break this rule")
    rules = series(clause.implied_by)
    if len(clause.implied_by) == 1:
        return _("idle: whatever breaks this rule also breaks {rules}", rules=rules)
    return _("idle: whatever breaks this rule also breaks at least one of {rules}", rules=rules)


def render_text(proven: Sequence[ProvenFormat], lang: str, seconds: int) -> str:
    """A section for each format: the messages for decks that break one rule, and what is noteworthy."""
    lines: list[str] = []
    for each in proven:
        for proof in each.proofs:
            lines.append(_("{format}, {date}", format=each.format.format.id, date=proof.as_of).in_(lang))
            for clause in proof.clauses:
                if clause.message is not None:
                    lines.append(f"  ok  {safe(clause.rule.id)}: {safe(clause.message.message.in_(lang))}")
        for (path, line), id, severity, text in _notes(each, seconds):
            label = LABELS[Label(severity)].in_(lang)
            lines.append(f"  {safe(path)}:{line}: {label}[{safe(id)}]: {safe(text.in_(lang))}")
        found = each.days - len(each.unsatisfiable)
        text = _("a legal deck exists on {found} of {days} days of change", found=found, days=each.days)
        if each.days == 1:
            text = _("a legal deck exists")
        lines += [f"  {text.in_(lang)}", ""] if found or each.days > 1 else [""]
    return "\n".join(lines[:-1]) + "\n"


def render_json(proven: Sequence[ProvenFormat], lang: str) -> str:
    """A JSON object with an entry for each format."""
    formats = [
        {
            "format": each.format.format.id,
            "days": each.days,
            "unsatisfiable": [_proof_object(proof, lang) for proof in each.unsatisfiable],
            "proofs": [_proof_object(proof, lang) for proof in each.proofs],
        }
        for each in proven
    ]
    return json_page({"schema": SCHEMA, "tool": dict(TOOL), "formats": formats})


_STATES = {"deck": True, "none": False, "open": None}


def _proof_object(proof: FormatProof, lang: str) -> dict[str, Any]:
    return {
        "as_of": proof.as_of,
        "satisfiable": _STATES[proof.legal.state],
        "deck": _deck_object(proof.legal.copies),
        "clash": [rule.id for rule in proof.clash],
        "rules": [
            {
                "rule": clause.rule.id,
                "path": clause.source.path,
                "line": clause.source.line,
                "severity": clause.clause.severity,
                "breakable": _STATES[clause.broken.state],
                "message": None if clause.message is None else clause.message.message.in_(lang),
                "deck": _deck_object(clause.broken.copies),
                "implied_by": list(clause.implied_by),
                "bounds": [
                    {"reachable": _STATES[bound.state], "deck": _deck_object(bound.copies)}
                    for bound in clause.bounds
                ],
                "unplayable": list(clause.unplayable),
            }
            for clause in proof.clauses
        ],
    }


def _deck_object(copies: Copies | None) -> dict[str, dict[str, int]] | None:
    return None if copies is None else {zone: dict(names) for zone, names in copies.items() if names}


def render_sarif(proven: Sequence[ProvenFormat], lang: str, seconds: int) -> str:
    """A SARIF result for each noteworthy thing, at its rule's line."""
    notes = [
        RuleNote(source, f"{each.format.format.id}/{id}", severity, text.in_(lang))
        for each in proven
        for source, id, severity, text in _notes(each, seconds)
    ]
    return note_run(notes, lang)


# Comparisons


def comparison_text(
    asked: Inclusion,
    first_in_second: Direction,
    second_in_first: Direction,
    changes: Sequence[StatusChange],
    lang: str,
) -> str:
    """Which rules refuse decks that are legal in the other format, for both formats, and cards whose status differs."""
    first, second = (
        _("{format} ({date})", format=day.format.format.name, date=day.as_of)
        for day in (asked.first, asked.second)
    )
    lines = [
        *(_warning(warning, lang) for warning in asked.warnings),
        *_direction_lines(first_in_second, first, second, lang),
        *_direction_lines(second_in_first, second, first, lang),
    ]
    statuses = asked.first.format.game_data.game.statuses
    for change in changes:
        before, after = (
            _("none") if status is None else statuses[status] for status in (change.before, change.after)
        )
        text = _("{card}: {before} → {after}", card=change.card, before=before, after=after)
        lines.append(f"  {safe(text.in_(lang))}")
    return "\n".join(lines) + "\n"


def _warning(warning: Words, lang: str) -> str:
    label = LABELS[Label.WARNING].in_(lang)
    return safe(p_("problem", "{label}: {message}", label=label, message=warning).in_(lang))


def _direction_lines(direction: Direction, legal: Words, other: Words, lang: str) -> Iterator[str]:
    if direction.is_empty:
        text = _("Proven: no deck at all is legal in {legal}.", legal=legal)
    elif direction.is_included:
        text = _("Proven: no deck that is legal in {legal} is illegal in {other}.", legal=legal, other=other)
    elif direction.refusals:
        text = _("Some decks that are legal in {legal} are illegal in {other}:", legal=legal, other=other)
    else:
        text = _(
            "Not decided whether every deck that is legal in {legal} is legal in {other}.",
            legal=legal,
            other=other,
        )
    yield safe(text.in_(lang))
    for refusal in direction.refusals:
        yield f"  {safe(_refusal_text(refusal).in_(lang))}"
    if direction.undecided:
        open_rules = _("not decided within the time limit: {rules}", rules=series(direction.undecided))
        yield f"  {safe(open_rules.in_(lang))}"


def _refusal_text(refusal: Refusal) -> Words:
    if refusal.rule is None or refusal.finding is None:
        return _("the other format has no zone {zone}", zone=refusal.zone or "")
    return _("{rule}: {message}", rule=refusal.rule.id, message=refusal.finding.message)


def comparison_json(
    asked: Inclusion,
    first_in_second: Direction,
    second_in_first: Direction,
    changes: Sequence[StatusChange],
    lang: str,
) -> str:
    """The same as a JSON object, with a deck for each rule that refuses one."""
    return json_page(
        {
            "schema": SCHEMA,
            "tool": dict(TOOL),
            "first": {"format": asked.first.format.format.id, "as_of": asked.first.as_of},
            "second": {"format": asked.second.format.format.id, "as_of": asked.second.as_of},
            "warnings": [warning.in_(lang) for warning in asked.warnings],
            "first_in_second": _direction_object(first_in_second, lang),
            "second_in_first": _direction_object(second_in_first, lang),
            "statuses": [change._asdict() for change in changes],
        }
    )


def _direction_object(direction: Direction, lang: str) -> dict[str, Any]:
    return {
        "empty": direction.is_empty,
        "included": False if direction.refusals else None if direction.undecided else True,
        "refusals": [
            {
                "rule": None if refusal.rule is None else refusal.rule.id,
                "message": _refusal_text(refusal).in_(lang),
                "deck": _deck_object(refusal.copies),
            }
            for refusal in direction.refusals
        ],
        "undecided": list(direction.undecided),
    }
