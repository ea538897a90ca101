-- The journal: what was decided, in the order it was decided.
--
-- Nothing here calls a function that the sqlite3 shell 3.40 lacks, so that the
-- guards hold, and the file can be read, wherever it is opened.

-- "pgat": tells a journal from any other SQLite file.
PRAGMA application_id = 0x70676174;

-- body is one JSON object, kept to the byte. The other columns are computed
-- from it, so they cannot say anything else; those not NULL also keep out text
-- that is not an entry. time is microseconds since the Unix epoch, UTC.
CREATE TABLE entry (
  seq     INTEGER PRIMARY KEY,
  body    TEXT NOT NULL,
  time    INTEGER NOT NULL GENERATED ALWAYS AS (json_extract(body, '$.time')) VIRTUAL,
  kind    TEXT NOT NULL GENERATED ALWAYS AS (json_extract(body, '$.kind')) VIRTUAL,
  session TEXT GENERATED ALWAYS AS (json_extract(body, '$.session')) VIRTUAL,
  call    TEXT GENERATED ALWAYS AS (json_extract(body, '$.call')) VIRTUAL
) STRICT;

CREATE INDEX entry_time ON entry (time);
CREATE INDEX entry_session ON entry (session);
CREATE INDEX entry_call ON entry (call);

-- The numbers have no gap and each is given once. This also stops INSERT OR
-- REPLACE, which deletes the row it replaces without firing a delete trigger.
CREATE TRIGGER entry_next BEFORE INSERT ON entry
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM entry)
BEGIN
  SELECT RAISE(ABORT, 'the journal only grows: seq must be the next number');
END;

CREATE TRIGGER entry_no_update BEFORE UPDATE ON entry
BEGIN
  SELECT RAISE(ABORT, 'the journal only grows: UPDATE refused');
END;

CREATE TRIGGER entry_no_delete BEFORE DELETE ON entry
BEGIN
  SELECT RAISE(ABORT, 'the journal only grows: DELETE refused');
END;

-- Each policy that decided anything, once, under the SHA-256 of its text in
-- hex. There is no rowid by which a row could be replaced.
CREATE TABLE policy (
  digest TEXT PRIMARY KEY CHECK (length(digest) = 64),
  body   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER policy_once BEFORE INSERT ON policy
WHEN EXISTS (SELECT 1 FROM policy WHERE digest = NEW.digest)
BEGIN
  SELECT RAISE(ABORT, 'the journal only grows: this policy is stored');
END;

CREATE TRIGGER policy_no_update BEFORE UPDATE ON policy
BEGIN
  SELECT RAISE(ABORT, 'the journal only grows: UPDATE refused');
END;

CREATE TRIGGER policy_no_delete BEFORE DELETE ON policy
BEGIN
  SELECT RAISE(ABORT, 'the journal only grows: DELETE refused');
END;

-- The decisions with the fields people filter by. A view, because a generated
-- column is computed at every insert, even when no index wants it.
CREATE VIEW decision AS
SELECT
  seq, time, session, call,
  json_extract(body, '$.root')     AS project,
  json_extract(body, '$.tool')     AS tool,
  json_extract(body, '$.verdict')  AS verdict,
  json_extract(body, '$.answer')   AS answer,
  json_extract(body, '$.decision') AS decision,
  json_extract(body, '$.basis')    AS basis
FROM entry
WHERE kind = 'decision';
