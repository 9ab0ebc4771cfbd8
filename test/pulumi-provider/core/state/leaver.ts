// One of two processes that each give up the same deployments: for each line that it reads, it prints whether it deletes.
import { createInterface } from "node:readline";
import { HolderMarks } from "../../../../pulumi-provider/core/state/holder-marks.ts";
import { Holders } from "../../../../pulumi-provider/core/state/holders.ts";

const [, , directory = "", role = ""] = process.argv;
const isAdopter = role === "adopter";
const state = { name: "a", __internals: { holder: role, adopted: isAdopter } };
const marks = new HolderMarks({
  directory,
  owner: process.getuid?.(),
  engine: "127.0.0.1:1",
  programDirectory: "/",
  process,
});

for await (const line of createInterface({ input: process.stdin })) {
  const [act = "", id = ""] = line.split(" ");
  const holders = new Holders(marks);
  if (act === "hold") {
    if (isAdopter) holders.hold(id, state);
    console.log(`${role} holds`);
  } else if (act === "leave") {
    const held = holders.leave(id, state);
    const isDeleted = held === undefined && (!isAdopter || holders.isLeftByMaker(id));
    console.log(`${role} ${isDeleted ? "deletes" : "leaves"}`);
  } else {
    // Until it is killed.
    for (let at = 0; ; at += 1) {
      marks.note(id, { key: `${role} ${String(at % 50)}`, name: "n".repeat(2_000) });
      marks.keep(id, { key: `${role} ${String(at % 50)}`, name: "n".repeat(2_000) });
      if (at === 60) console.log("writing");
    }
  }
}
