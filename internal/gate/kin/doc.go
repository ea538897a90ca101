// Package kin brings the question of a sub-agent's session, which has no person,
// to the gate of the session that began it. The gate of a session with a person
// listens on a socket and leaves a note of it in Pi's agent folder, which only the
// user can read: where the socket is, and a secret that a question must bring.
// Whoever can read the note, every process of the same user, can ask; see
// docs/threat-model.md. The package decides nothing.
package kin
