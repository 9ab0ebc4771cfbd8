import { run } from "../index.js";
await run("comment/main");
