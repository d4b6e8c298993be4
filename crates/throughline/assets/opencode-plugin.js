// Throughline's plugin for OpenCode: hands what happens to `throughline hook opencode` and puts what it answers before
// the model. It starts the program without a shell, waits for it only a moment, and never throws.

import { spawn } from "node:child_process";

// `throughline install opencode` writes the program's full path here.
const PROGRAM = "throughline";
const WAIT_MS = 2000;

// Runs the hook once; the answer, or nothing.
function tell(event, payload) {
  return new Promise((resolve) => {
    try {
      const child = spawn(PROGRAM, ["hook", "opencode", event], {
        stdio: ["pipe", "pipe", "ignore"],
        windowsHide: true,
      });
      let text = "";
      const timer = setTimeout(() => child.kill(), WAIT_MS);
      child.stdout.on("data", (chunk) => (text += chunk));
      child.stdin.on("error", () => {});
      child.on("error", () => {
        clearTimeout(timer);
        resolve({});
      });
      child.on("close", () => {
        clearTimeout(timer);
        try {
          resolve(JSON.parse(text));
        } catch {
          resolve({});
        }
      });
      child.stdin.end(JSON.stringify(payload));
    } catch {
      resolve({});
    }
  });
}

export const Throughline = async ({ directory }) => {
  // What each session was given when it began; the system prompt is made anew for every call of the model.
  const begun = new Map();
  // Which messages are the model's, and the last text of each session's.
  const messages = new Map();
  const answered = new Map();

  const begin = (sessionID, input) => {
    if (!begun.has(sessionID)) {
      begun.set(
        sessionID,
        tell("session.created", { directory, input }).then((answer) => answer.context),
      );
    }
    return begun.get(sessionID);
  };

  const note = (event) => {
    const { info, part, sessionID } = event.properties ?? {};
    if (event.type === "message.updated" && info?.role === "assistant") {
      messages.set(info.id, info.sessionID ?? sessionID);
    }
    if (event.type === "message.part.updated" && part?.type === "text" && messages.has(part.messageID)) {
      answered.set(messages.get(part.messageID), { messageID: part.messageID, text: part.text });
    }
  };

  const forget = (sessionID) => {
    begun.delete(sessionID);
    answered.delete(sessionID);
    for (const [id, session] of messages) if (session === sessionID) messages.delete(id);
  };

  return {
    event: async ({ event }) => {
      try {
        note(event);
        const sessionID = event.properties?.sessionID ?? event.properties?.info?.id;
        if (!sessionID) return;
        if (event.type === "session.created") {
          await begin(sessionID, event);
        } else if (event.type === "session.idle") {
          await tell(event.type, { directory, input: event, output: answered.get(sessionID) });
          answered.delete(sessionID);
        } else if (event.type === "session.compacted" || event.type === "session.error") {
          await tell(event.type, { directory, input: event });
        } else if (event.type === "session.deleted") {
          await tell(event.type, { directory, input: event });
          forget(sessionID);
        }
      } catch {}
    },

    "chat.message": async (input, output) => {
      try {
        const { context } = await tell("chat.message", { directory, input, output });
        const last = output.parts?.at(-1);
        if (context && last) {
          output.parts.push({ ...last, id: `${last.id}_throughline`, type: "text", text: context, synthetic: true });
        }
      } catch {}
    },

    "experimental.chat.system.transform": async (input, output) => {
      try {
        if (!input.sessionID) return;
        // A session that began before this plugin was loaded, or in another run, is resumed.
        const context = await begin(input.sessionID, {
          type: "session.created",
          properties: { sessionID: input.sessionID, source: "resume" },
        });
        if (context) output.system.push(context);
      } catch {}
    },

    "tool.execute.after": async (input, output) => {
      try {
        await tell("tool.execute.after", { directory, input, output });
      } catch {}
    },

    "experimental.session.compacting": async (input, output) => {
      try {
        const { context } = await tell("experimental.session.compacting", { directory, input });
        if (context) output.context.push(context);
      } catch {}
    },
  };
};
