"""Access tokens of the operator command, and the secret that signs them."""

from __future__ import annotations

import stat
import time
from contextlib import closing
from pathlib import Path

import jwt
import pytest
from sqlalchemy import text

from service.accounts import provisioning, tokens
from service.accounts.passwords import hash_password
from service.command_line import main
from service.database import Database
from tests.running_service import RunningService

SECRET = "a secret of at least thirty-two bytes"


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database with an organization and the user ana."""
    monkeypatch.delenv(tokens.SECRET_VARIABLE, raising=False)
    address = f"sqlite:///{tmp_path / 'service.sqlite'}"
    with closing(Database(address)) as database, database.transaction() as connection:
        provisioning.add_organization(connection, 8800, "Test")
        provisioning.add_user(connection, "ana", hash_password("secret word"), [8800], display_name=None)
    return address


def run_command(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Run a command. Returns the exit code and both outputs."""
    capsys.readouterr()
    code = main(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


def test_the_command_prints_a_valid_token(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`python -m service token --user ana`; the token lives 28,800 s, and two tokens have the same key."""
    code, out, _err = run_command(capsys, "token", "--user", "ana", "--database-url", url)
    assert code == 0
    token = out.strip()
    claims = jwt.decode(token, options={"verify_signature": False})
    assert claims["exp"] - claims["iat"] == 28_800
    assert jwt.get_unverified_header(token)["alg"] == "HS256"
    second = run_command(capsys, "token", "--user", "ana", "--database-url", url)[1].strip()
    with RunningService(database_url=url) as service:
        for one in (token, second):
            headers = {"Authorization": f"Bearer {one}"}
            answer = service.http.get("/rest/lookup/8800/mappings/search", headers=headers, auth=None)
            assert (answer.status_code, answer.json()["totalCount"]) == (200, 0)


def test_a_token_issued_while_the_service_runs_is_valid(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The first token creates the secret, and a running service loads it."""
    with RunningService(database_url=url) as service:
        forged = {"Authorization": f"Bearer {tokens.sign('x' * 40, 'ana')}"}
        assert service.http.get("/lookup/8800/mappings/search", headers=forged, auth=None).status_code == 401
        token = run_command(capsys, "token", "--user", "ana", "--database-url", url)[1].strip()
        headers = {"Authorization": f"Bearer {token}"}
        assert service.http.get("/lookup/8800/mappings/search", headers=headers, auth=None).status_code == 200


def test_a_token_from_a_clock_that_is_ahead_is_valid(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clocks differ by seconds; a refused token is checked again."""
    monkeypatch.setenv(tokens.SECRET_VARIABLE, SECRET)
    ahead, far_ahead = (tokens.sign(SECRET, "ana", now=time.time() + seconds) for seconds in (2, 3600))
    assert tokens.username_of(SECRET, ahead) == "ana"
    assert tokens.username_of(SECRET, far_ahead) is None
    monkeypatch.setattr(tokens, "LEEWAY_SECONDS", 3700)
    assert tokens.username_of(SECRET, far_ahead) == "ana"


def test_an_unknown_user_gets_no_token(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The error is a sentence."""
    code, out, err = run_command(capsys, "token", "--user", "nobody", "--database-url", url)
    assert (code, out, err) == (2, "", "service: There is no user nobody.\n")


def test_the_environment_can_set_the_secret(
    url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """MUSTER_SERVICE_TOKEN_SECRET signs; changing it invalidates all tokens; a short one is refused."""
    monkeypatch.setenv(tokens.SECRET_VARIABLE, SECRET)
    token = run_command(capsys, "token", "--user", "ana", "--database-url", url)[1].strip()
    assert tokens.username_of(SECRET, token) == "ana"
    assert tokens.username_of(SECRET + "!", token) is None
    monkeypatch.setenv(tokens.SECRET_VARIABLE, "short")
    for command in (["token", "--user", "ana"], ["serve", "--port", "0"]):
        code, out, err = run_command(capsys, *command, "--database-url", url)
        assert (code, out) == (2, "")
        assert "at least 32 bytes" in err
        assert "Traceback" not in err


def test_only_the_owner_can_read_the_database(url: str) -> None:
    """The database contains password hashes and the secret."""
    file = Path(url.removeprefix("sqlite:///"))
    with closing(Database(url)) as database, database.transaction() as connection:
        connection.execute(text("INSERT INTO facts VALUES ('a', 'b')"))
        for one in file.parent.iterdir():
            assert stat.S_IMODE(one.stat().st_mode) == 0o600, one.name
