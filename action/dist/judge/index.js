import { run } from "../index.js";
await run("judge/main");
