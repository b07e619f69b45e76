"""The asset endpoints: create, update, and delete, all in batches."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from ..asset_batches import AssetTally, match_assets, read_asset_answer
from ..batches import send_in_chunks
from ..credentials import Credentials
from ..errors import FieldError
from ..models.asset_rules import asset_problems
from ..models.assets import Asset, AssetBatchAnswer, AssetBatchOutcome
from ..models.results import BatchFailure
from ..retry import Effect
from ..transport import Call, Transport, as_json, json_list
from ..vocabulary.assets import ORGANIZATION_HEADER
from ..vocabulary.limits import ASSET_BATCH
from .checks import BATCH_READ_TIMEOUT, first_rows, join_messages, refuse, text_problems

# Links in answers have an additional `/rest/`, which the interface documents for these paths.
_PATH = "/rest/v2/asset-management/assets/batch"


class Assets:
    """Assets of one organization: things with a place (interface: Assets). IDs are strings."""

    def __init__(
        self, transport: Transport, organization_id: int, credentials: Credentials = Credentials.EITHER
    ) -> None:
        self._transport = transport
        self._credentials = credentials
        self._headers = {ORGANIZATION_HEADER: str(organization_id)}

    def create_batch(self, assets: Sequence[Asset | str]) -> AssetBatchOutcome:
        """Create assets. Rows that break a rule are not sent and count as failed. Never repeated.

        A text that is the JSON payload of a valid asset is sent unchanged.
        """
        tally = AssetTally()
        sent = _sound(tally, assets, is_update=False)
        self._send(tally, sent, "POST", Effect.CREATES, match_assets)
        return tally.assets_outcome()

    def update_batch(self, assets: Sequence[Asset | str]) -> AssetBatchOutcome:
        """Replace assets by ID. Rows that share an ID are refused.

        A text is sent unchanged, as in `create_batch`.
        """
        tally = AssetTally()
        ids = [asset.id if isinstance(asset, Asset) else json.loads(asset).get("id") for asset in assets]
        twice = (
            {asset_id for asset_id in ids if asset_id and ids.count(asset_id) > 1} if len(set(ids)) < len(ids) else ()
        )
        problems = [
            FieldError(f"[{row}].id", f"“{asset_id}” is in more than one row.")
            for row, asset_id in enumerate(ids)
            if asset_id in twice
        ]
        refuse(problems, "These assets cannot be changed in one call.")
        sent = _sound(tally, assets, is_update=True)
        match = partial(match_assets, ids=ids)
        self._send(tally, sent, "PUT", Effect.REPLACES, match)
        return tally.assets_outcome()

    def delete_batch(self, asset_ids: Sequence[str]) -> AssetBatchOutcome:
        """Delete assets. A repeated ID is sent once and counts twice."""
        problems = [
            problem
            for row, asset_id in enumerate(asset_ids)
            for problem in text_problems(f"[{row}]", asset_id, "The value is not the ID of an asset.")
        ]
        refuse(problems, "Some of the values are not IDs of assets.")
        firsts = first_rows(asset_ids)
        tally = AssetTally()
        match = partial(match_assets, ids=asset_ids)
        sent = {row: as_json(asset_ids[row]) for row in firsts.values()}
        self._send(tally, sent, "DELETE", Effect.REMOVES, match)
        return tally.assets_outcome({row: firsts[asset_id] for row, asset_id in enumerate(asset_ids)})

    def _send(
        self,
        tally: AssetTally,
        rows: Mapping[int, str],
        method: str,
        effect: Effect,
        match: Callable[..., None],
    ) -> None:
        def send(piece: Sequence[int]) -> AssetBatchAnswer:
            call = Call(
                method,
                _PATH,
                effect,
                body=json_list(rows[row] for row in piece),
                credentials=self._credentials,
                headers=self._headers,
                read_timeout=BATCH_READ_TIMEOUT,
            )
            return self._transport.call(call, read_asset_answer)

        send_in_chunks(list(rows), ASSET_BATCH, send=send, match=match, tally=tally)


def _sound(tally: AssetTally, assets: Sequence[Asset | str], *, is_update: bool) -> dict[int, str]:
    """Return the payloads of the rows that break no rule; the others are counted as refused."""
    sound: dict[int, str] = {}
    for row, asset in enumerate(assets):
        if not isinstance(asset, Asset):
            sound[row] = asset
            continue
        payload = asset.to_wire()
        problems = asset_problems(asset, is_update=is_update, payload=payload)
        if problems:
            tally.failed.append(BatchFailure(row, join_messages(problems), sent=False))
            tally.reasons[row] = problems
        else:
            sound[row] = as_json(payload)
    return sound
