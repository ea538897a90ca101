// A model that says what the test wrote down: the streaming chat-completions interface, on the loopback address only.
import http from "node:http";

/** A turn of the model that makes these tool calls at once. */
export const calls = (...list) => ({ calls: list });

/** A turn of the model that only says something, which ends the run. */
export const say = (text) => ({ text });

/** One tool call. */
export const call = (tool, input) => ({ tool, input });

/** One shell command. */
export const bash = (command, more = {}) => call("bash", { command, ...more });

const textOf = (content) => (typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join(""));

/**
 * Which turn a request asks for is read from the conversation itself: the last user message that names a script, and
 * the number of assistant messages since. The server keeps no place, so forks, retries and side conversations cannot
 * make it lose its own.
 */
export class ScriptedModel {
  #scripts = [];
  #server;

  /** Each request's messages, oldest first. */
  requests = [];

  /** Starts a model on a free port. */
  static async start() {
    const model = new ScriptedModel();
    model.#server = http.createServer((request, response) => model.#answer(request, response));
    await new Promise((resolve, reject) => {
      model.#server.once("error", reject);
      model.#server.listen(0, "127.0.0.1", resolve);
    });
    return model;
  }

  get baseUrl() {
    return `http://127.0.0.1:${this.#server.address().port}/v1`;
  }

  /** Writes down a script and returns the prompt that makes the model play it. */
  script(turns) {
    return `Please play script ${this.#scripts.push(turns)}.`;
  }

  /** What the model was told about its calls since the given request: [{id, text}], in the order it was told. */
  resultsSince(from) {
    const told = new Map();
    for (const messages of this.requests.slice(from)) {
      for (const message of messages) {
        if (message.role === "tool") told.set(message.tool_call_id, textOf(message.content));
      }
    }
    return [...told].map(([id, text]) => ({ id, text }));
  }

  async close() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #turnFor(messages) {
    for (let i = messages.length - 1; i >= 0; i--) {
      if (messages[i].role !== "user") continue;
      const named = /Please play script (\d+)\./.exec(textOf(messages[i].content));
      if (!named) continue;
      const script = Number(named[1]);
      const index = messages.slice(i + 1).filter((message) => message.role === "assistant").length;
      return { name: `${script}_${index}`, ...(this.#scripts[script - 1]?.[index] ?? say("Done.")) };
    }
    return { name: "0_0", ...say("No script was named.") };
  }

  #answer(request, response) {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      if (request.method !== "POST" || !request.url.endsWith("/chat/completions")) {
        response.writeHead(404).end();
        return;
      }
      const { messages, model } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      this.requests.push(messages);
      stream(response, model, this.#turnFor(messages));
    });
  }
}

/** Sends a turn the way hosted models do: as small pieces which the client puts together. */
function stream(response, model, turn) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (rest) => {
    const chunk = { id: `turn-${turn.name}`, object: "chat.completion.chunk", created: 0, model, ...rest };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  const delta = (piece, finish_reason = null) => send({ choices: [{ index: 0, delta: piece, finish_reason }] });

  delta({ role: "assistant", content: turn.text ?? "" });
  for (const [index, { tool, input }] of (turn.calls ?? []).entries()) {
    const text = JSON.stringify(input);
    const middle = text.length >> 1;
    delta({ tool_calls: [{ index, id: `call_${turn.name}_${index}`, type: "function", function: { name: tool, arguments: "" } }] });
    delta({ tool_calls: [{ index, function: { arguments: text.slice(0, middle) } }] });
    delta({ tool_calls: [{ index, function: { arguments: text.slice(middle) } }] });
  }
  delta({}, turn.calls ? "tool_calls" : "stop");
  send({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } });
  response.end("data: [DONE]\n\n");
}
