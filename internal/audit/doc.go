// Package audit is the journal: an append-only SQLite file that holds every
// decision, committed before the decided call runs.
//
// Journal appends, Reader reads; nobody outside this package sees SQL. Several
// processes share one file, each with its own connection in WAL mode: an
// append takes SQLite's write lock for one short transaction and readers
// neither wait nor make anyone wait.
//
// Triggers in the file itself (package migrations) let it only grow, whoever
// opens it. They keep out accidents; who may write the file can still remove
// the triggers first.
package audit
