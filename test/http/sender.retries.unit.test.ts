import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { HttpStatusError, InvalidResponseError, NetworkError } from "../../src/http/errors.ts";
import { GarbageError } from "../../src/http/bad-response.ts";
import type { BodySource } from "../../src/http/transport.ts";
import { earlyRefusal, resetAfter, resetBefore, status, stalledHeaders, truncated } from "../wire/faults.ts";
import { withSender, senderRig } from "./sender-rig.ts";

describe("how often", () => {
  withSender("a failure that passes is not seen", async ({ server, send, notices }) => {
    server.script({}, status(503));
    expect(await send()).toBe("well");
    expect(server.requests).toHaveLength(2);
    expect(notices).toMatchObject([{ attempt: 1, mostAttempts: 4, delayMilliseconds: 200, reason: "status 503" }]);
  });

  test("four attempts are the most, and the last failure is the one that is reported", async () => {
    const { server, send, clock } = await senderRig();
    server.script({}, resetBefore, 3);
    server.script({}, status(502));
    await expect(send()).rejects.toMatchObject({ code: "HTTP_STATUS", status: 502 });
    expect(server.requests).toHaveLength(4);
    expect(clock.sleeps).toEqual([200, 400, 800]);
  });

  test("a POST is sent once, whatever happened to it", async () => {
    for (const fault of [resetBefore, resetAfter, truncated, status(500), status(503), status(408)]) {
      const { server, send } = await senderRig();
      server.script({}, fault);
      await expect(send({ method: "POST", body: "{}" })).rejects.toMatchObject({ code: expect.any(String) });
      expect(server.requests).toHaveLength(1);
    }
  });

  withSender("a POST that does no harm twice is sent again", async ({ server, send }) => {
    server.script({}, resetAfter);
    expect(await send({ method: "POST", body: "{}", repeatable: true })).toBe("well");
    expect(server.requests.map(({ body }) => body.toString())).toEqual(["{}", "{}"]);
  });

  withSender("a POST that the server did not look at is sent again", async ({ server, send }) => {
    server.script({}, status(429));
    expect(await send({ method: "POST", body: "{}" })).toBe("well");
    expect(server.requests).toHaveLength(2);
  });

  withSender("nobody listens: four attempts, and one sentence", async ({ send, notices }) => {
    const url = new URL("http://127.0.0.1:1/closed");
    await expect(send({ url, method: "POST" })).rejects.toThrow("(ECONNREFUSED)");
    expect(notices.map(({ reason }) => reason)).toEqual(["ECONNREFUSED", "ECONNREFUSED", "ECONNREFUSED"]);
  });
});

describe("the retries of all requests together", () => {
  const DOWN = status(503);
  const ask = (send: () => Promise<unknown>) => send().catch(() => undefined);

  withSender("end, so that a service that is down is asked once a request from then on", async ({ server, send }) => {
    server.script({}, DOWN, 100);
    const counts: number[] = [];
    for (let request = 0; request < 10; request += 1) {
      await ask(send);
      counts.push(server.requests.length);
    }
    expect(counts).toEqual([4, 8, 12, 16, 20, 24, 27, 28, 29, 30]);
  });

  withSender("grow again by one for five requests that came through", async ({ server, send }) => {
    server.script({}, DOWN, 30);
    for (let request = 0; request < 10; request += 1) await ask(send);
    expect(server.requests).toHaveLength(30);
    for (let request = 0; request < 5; request += 1) await send();
    server.script({}, DOWN, 2);
    await ask(send);
    expect(server.requests).toHaveLength(37);
  });

  // A wait of half an hour makes hundreds of requests: each stumble must not cost the next request its retry.
  withSender("are given back by a request that comes through with one", async ({ server, send }) => {
    for (let request = 0; request < 60; request += 1) {
      server.script({}, DOWN, 1);
      expect(await send()).toBe("well");
    }
    expect(server.requests).toHaveLength(120);
  });

  withSender("are not taken by a request that fails for good", async ({ server, send }) => {
    server.script({}, status(403), 50);
    for (let request = 0; request < 50; request += 1) await ask(send);
    server.script({}, DOWN, 3);
    expect(await send()).toBe("well");
  });
});

describe("the answer", () => {
  withSender("garbage may improve, and is asked for again", async ({ server, send }) => {
    let reads = 0;
    const read = () => {
      reads += 1;
      if (reads === 1) throw new GarbageError("no JSON", { mayImprove: true });
      return "well";
    };
    expect(await send({}, read)).toBe("well");
    expect(server.requests).toHaveLength(2);
  });

  withSender("JSON of another form does not improve, and quotes no secret", async ({ server, send, redactor }) => {
    redactor.add("sk-0123456789");
    const read = () => {
      throw new GarbageError("upload_headers.sk-0123456789: expected string\nsecond line", { mayImprove: false });
    };
    const error: unknown = await send({}, read).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(String(error)).toMatch(/upload_headers\.\*\*\*: expected string$/);
    expect(server.requests).toHaveLength(1);
  });

  withSender("no error and no notice holds the query of the address", async ({ server, send, notices }) => {
    server.script({}, status(503), 4);
    const error: unknown = await send().catch((caught: unknown) => caught);
    expect(`${String(error)} ${JSON.stringify(notices)}`).not.toContain("sealed");
  });
});

describe("a body from a file", () => {
  function source(bytes: Buffer) {
    const opened: Readable[] = [];
    const body: BodySource = {
      bytes: bytes.length,
      open: () => {
        const stream = Readable.from([bytes]);
        opened.push(stream);
        return stream;
      },
    };
    return { body, opened };
  }

  withSender("is opened again for each attempt, and closed after each", async ({ server, send }) => {
    const { body, opened } = source(Buffer.from("the tarball"));
    server.script({}, resetAfter);
    server.script({}, status(503));
    expect(await send({ method: "PUT", body })).toBe("well");
    expect(server.requests.map((request) => request.body.toString())).toEqual(Array(3).fill("the tarball"));
    expect(opened.map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
    expect(server.requests[0]?.headers).toMatchObject({ "content-length": "11" });
  });

  withSender("is closed when nobody takes it", async ({ send, cancel, server }) => {
    const { body, opened } = source(Buffer.alloc(4_000_000));
    server.script({}, stalledHeaders);
    const sent = send({ method: "PUT", body });
    await expect.poll(() => server.requests.length).toBe(1);
    cancel.abort(new Error("cancelled"));
    await expect(sent).rejects.toThrow("cancelled");
    expect(opened.map(({ destroyed }) => destroyed)).toEqual([true]);
  });

  withSender("is closed when it is refused before it was taken", async ({ send, server }) => {
    const { body, opened } = source(Buffer.alloc(30_000_000));
    server.script({}, earlyRefusal);
    await expect(send({ method: "PUT", body })).rejects.toMatchObject({ status: 403 });
    expect(opened.map(({ destroyed }) => destroyed)).toEqual([true]);
  });

  withSender("that is shorter than it was is refused, and not sent again", async ({ server, send }) => {
    const { body } = source(Buffer.from("short"));
    const error: unknown = await send({ method: "PUT", body: { ...body, bytes: 50 } }).catch(
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ message: expect.stringContaining("the file changed while it was sent") });
    expect(server.requests.length).toBeLessThan(2);
  });

  withSender("that cannot be read is said to be the file, not the network", async ({ send }) => {
    const open = () =>
      new Readable({
        construct: (done) => done(Object.assign(new Error("ENOENT: no such file"), { code: "ENOENT" })),
      });
    await expect(send({ method: "PUT", body: { bytes: 5, open } })).rejects.toThrow("the file to send is gone");
  });
});

describe("Retry-After", () => {
  withSender("is waited for", async ({ server, send, clock }) => {
    server.script({}, status(503, { headers: { "retry-after": "7" } }));
    server.script({}, status(429, { headers: { "retry-after": "0" } }));
    expect(await send()).toBe("well");
    expect(clock.sleeps).toEqual([7_000, 400]);
  });

  withSender("is waited for as a date", async ({ server, send, clock }) => {
    const date = new Date(clock.date().getTime() + 20_000).toUTCString();
    server.script({}, status(503, { headers: { "retry-after": date } }));
    expect(await send()).toBe("well");
    expect(clock.sleeps[0]).toBeGreaterThan(17_000);
    expect(clock.sleeps[0]).toBeLessThanOrEqual(20_000);
  });

  withSender("is waited for as a date of a server whose clock is an hour ahead", async ({ server, send, clock }) => {
    const now = clock.date().getTime() + 3_600_000;
    const theirs = (milliseconds: number) => new Date(now + milliseconds).toUTCString();
    server.script({}, status(503, { headers: { date: theirs(0), "retry-after": theirs(20_000) } }));
    expect(await send()).toBe("well");
    expect(clock.sleeps).toEqual([20_000]);
  });

  test.each([["3600"], [new Date(Date.now() + 3_600_000).toUTCString()], ["9".repeat(30)]])(
    "longer than the deadline (%s) fails at once and says so",
    async (retryAfter) => {
      const { server, send, clock } = await senderRig();
      server.script({}, status(503, { headers: { "retry-after": retryAfter }, body: { detail: "Down." } }));
      const error: unknown = await send().catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(HttpStatusError);
      expect(error).toMatchObject({
        message: expect.stringMatching(
          /503, and asks for a pause of \d+ s, which is longer than one request may take: Down\.$/,
        ),
      });
      expect(clock.sleeps).toEqual([]);
      expect(server.requests).toHaveLength(1);
    },
  );

  test("nonsense is not waited for, and nobody is said to have asked for a pause", async () => {
    const { server, send, clock } = await senderRig();
    server.script({}, status(503, { headers: { "retry-after": "soon" } }), 4);
    await expect(send({ deadlineMilliseconds: 500 })).rejects.toThrow(/returned 503$/);
    expect(clock.sleeps).toEqual([200]);
  });
});
