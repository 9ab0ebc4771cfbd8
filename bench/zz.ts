import { plainProgram } from "./plain-program.ts";
plainProgram("/work/t/i/bench/judge-speed-child.ts");
