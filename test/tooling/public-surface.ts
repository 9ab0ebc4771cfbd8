import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { projectRoot } from "../../scripts/command.ts";

/** Something that a program can name, or reach from what it names: `AgentServer.request`, `CallOptions.signal`. */
export interface PublicMember {
  readonly name: string;
  /** Its file and line. */
  readonly place: string;
  readonly kind: "call" | "field" | "other";
  /** The type or function that it belongs to. */
  readonly owner: string;
  readonly doc: Doc;
  /** Its type; of a call, the type of what it returns. */
  readonly type: string;
}

/** The comment of a member: its text, and the texts of its tags. */
export interface Doc {
  readonly text: string;
  readonly tags: ReadonlyMap<string, string>;
}

/** What the sources of a package give to programs, as the compiler sees it. */
export class PublicSurface {
  readonly #checker: ts.TypeChecker;
  readonly #exported = new Map<ts.Symbol, string>();
  /** Classes that programs can name, but not make. */
  readonly #typeOnly = new Set<ts.Symbol>();
  readonly #isOurs: (file: ts.SourceFile) => boolean;
  /** Types in public signatures that no entry exports, each with the first place that names it. */
  readonly unexported = new Map<string, string>();
  readonly members: PublicMember[] = [];
  /** The exported types that a call is given, and those that each of them names. */
  readonly #given = new Set<string>();
  readonly #named = new Map<string, Set<string>>();

  /** `entries`: files of the program; `isOurs` is true for a file whose declarations count. */
  constructor(program: ts.Program, entries: readonly string[], isOurs: (path: string) => boolean) {
    this.#checker = program.getTypeChecker();
    this.#isOurs = (file) => isOurs(file.fileName);
    for (const entry of entries) {
      const file = program.getSourceFile(entry);
      const module = file && this.#checker.getSymbolAtLocation(file);
      if (module === undefined) throw new Error(`${entry} is no module.`);
      for (const symbol of this.#checker.getExportsOfModule(module)) {
        const target = this.#target(symbol);
        const isTypeOnly = symbol.declarations?.every(ts.isTypeOnlyImportOrExportDeclaration) === true;
        if (!isTypeOnly) this.#typeOnly.delete(target);
        else if (!this.#exported.has(target)) this.#typeOnly.add(target);
        this.#exported.set(target, symbol.name);
      }
    }
    for (const [symbol, name] of this.#exported) this.#visitExport(symbol, name);
  }

  /** The functions and methods that a program calls; errors are made by the library alone. */
  get calls(): readonly PublicMember[] {
    return this.members.filter(({ kind, name }) => kind === "call" && !isOfError(name));
  }

  /** The fields of what a program gives to a call, at every depth. */
  get options(): readonly PublicMember[] {
    const given = new Set(this.#given);
    for (const owner of given) for (const name of this.#named.get(owner) ?? []) given.add(name);
    // A field that can only be one word, or only be left out, says what it is.
    const isFixed = ({ type }: PublicMember) => /^("[^"]*"|undefined)$/.test(type);
    return this.members.filter((member) => member.kind === "field" && given.has(member.owner) && !isFixed(member));
  }

  #target(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  #visitExport(symbol: ts.Symbol, name: string): void {
    for (const declaration of symbol.declarations ?? []) {
      if (!this.#isOurs(declaration.getSourceFile())) continue;
      if (ts.isFunctionDeclaration(declaration)) this.#visitCall(declaration, name, name);
      else if (ts.isClassDeclaration(declaration) || ts.isInterfaceDeclaration(declaration)) {
        this.#add(declaration, name, "other");
        for (const clause of declaration.heritageClauses ?? []) {
          this.#findTypes(clause, name);
          this.#nameTypes(clause, name);
        }
        for (const parameter of declaration.typeParameters ?? []) this.#findTypes(parameter, name);
        const members: readonly (ts.ClassElement | ts.TypeElement)[] = declaration.members;
        const isMade = !this.#typeOnly.has(symbol);
        for (const member of members)
          if (isMade || !ts.isConstructorDeclaration(member)) this.#visitMember(member, name);
      } else if (ts.isTypeAliasDeclaration(declaration)) {
        this.#add(declaration, name, "other");
        this.#findTypes(declaration.type, name);
        this.#nameTypes(declaration.type, name);
        this.#visitLiterals(declaration.type, name);
        this.#visitShape(symbol, name);
      } else if (ts.isVariableDeclaration(declaration)) {
        const type = this.#checker.getTypeAtLocation(declaration);
        this.#add(declaration, name, type.getCallSignatures().length > 0 ? "call" : "other");
        this.#findInferred(declaration, name);
      }
    }
  }

  // The fields of an object that a type alias spells out.
  #visitLiterals(node: ts.Node, owner: string): void {
    if (ts.isTypeLiteralNode(node)) for (const member of node.members) this.#visitMember(member, owner);
    // An object that chooses among others is none itself.
    else if (ts.isTypeReferenceNode(node) && node.typeName.getText() === "Extract") return;
    else if (!ts.isFunctionTypeNode(node)) ts.forEachChild(node, (child) => this.#visitLiterals(child, owner));
  }

  // The fields of a type that is inferred from a shape: they stand in an object of shapes.
  #visitShape(symbol: ts.Symbol, owner: string): void {
    for (const property of this.#checker.getDeclaredTypeOfSymbol(symbol).getProperties()) {
      const shape = property.declarations?.find((declaration) => ts.isPropertyAssignment(declaration));
      if (shape === undefined || !this.#isOurs(shape.getSourceFile())) continue;
      const type = this.#checker.getTypeOfSymbol(property);
      this.#add(shape, `${owner}.${property.name}`, "field", owner, type);
    }
  }

  #visitMember(member: ts.ClassElement | ts.TypeElement, owner: string): void {
    if (isHidden(member)) return;
    const name = `${owner}.${nameOf(member)}`;
    if (ts.isConstructorDeclaration(member) || ts.isMethodDeclaration(member) || ts.isMethodSignature(member)) {
      this.#visitCall(member, name, owner);
      return;
    }
    const type = "type" in member ? (member.type as ts.TypeNode | undefined) : undefined;
    const isCall = type !== undefined && ts.isFunctionTypeNode(type) && !isOptional(member);
    this.#add(member, name, isCall ? "call" : "field", owner);
    if (type === undefined) this.#findInferred(member, name);
    else {
      this.#findTypes(type, name);
      this.#nameTypes(type, owner);
      this.#visitLiterals(type, owner);
    }
  }

  #visitCall(call: ts.SignatureDeclaration, name: string, owner: string): void {
    // Of an overloaded function only the overloads are seen.
    const mayBeOverloaded = ts.isFunctionDeclaration(call) || ts.isMethodDeclaration(call);
    if (mayBeOverloaded && call.body !== undefined && this.#isOverloaded(call)) return;
    this.#add(call, name, "call");
    if (!isOfError(name)) this.#given.add(name);
    for (const parameter of call.typeParameters ?? []) this.#findTypes(parameter, owner);
    for (const { type } of call.parameters) {
      if (type === undefined) continue;
      this.#findTypes(type, name);
      this.#nameTypes(type, name);
      this.#visitLiterals(type, name);
    }
    if (call.type !== undefined) this.#findTypes(call.type, name);
    else if (!ts.isConstructorDeclaration(call)) this.#findInferred(call, name);
  }

  #isOverloaded(call: ts.FunctionDeclaration | ts.MethodDeclaration): boolean {
    const symbol = call.name && this.#checker.getSymbolAtLocation(call.name);
    return (symbol?.declarations?.length ?? 0) > 1;
  }

  #findTypes(node: ts.Node, user: string): void {
    const used = this.#usedIn(node);
    if (used !== undefined) this.#useSymbol(used, user);
    ts.forEachChild(node, (child) => {
      this.#findTypes(child, user);
    });
  }

  // What a callback is called with, and what a type picks out of another by a name, is not given by the program.
  #nameTypes(node: ts.Node, owner: string): void {
    if (ts.isFunctionTypeNode(node)) return;
    const used = this.#usedIn(node);
    // A class makes its own fields, and an event is what a program is called with.
    const isMade = used !== undefined && (used.flags & ts.SymbolFlags.Class) !== 0;
    const name = used && !isMade ? this.#exported.get(used) : undefined;
    if (name !== undefined && !name.endsWith("Event"))
      this.#named.set(owner, (this.#named.get(owner) ?? new Set()).add(name));
    ts.forEachChild(node, (child) => {
      this.#nameTypes(child, owner);
    });
  }

  /** The type that a node names by itself. */
  #usedIn(node: ts.Node): ts.Symbol | undefined {
    const isBase = ts.isExpressionWithTypeArguments(node);
    const name = isBase ? node.expression : ts.isTypeReferenceNode(node) ? node.typeName : undefined;
    const symbol = name && this.#checker.getSymbolAtLocation(name);
    return symbol && this.#target(symbol);
  }

  #useSymbol(symbol: ts.Symbol, user: string): void {
    if (symbol.flags & ts.SymbolFlags.TypeParameter || this.#exported.has(symbol)) return;
    const [declaration] = symbol.declarations ?? [];
    if (declaration === undefined || !this.#isOurs(declaration.getSourceFile())) return;
    const isNamed = symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias);
    const key = `${symbol.name} (${placeOf(declaration)})`;
    if (isNamed && !this.unexported.has(key)) this.unexported.set(key, user);
  }

  // A declaration without a written type: the compiler writes it.
  #findInferred(node: ts.Node, user: string): void {
    const seen = new Set<ts.Type>();
    const walk = (type: ts.Type): void => {
      if (seen.has(type)) return;
      seen.add(type);
      const named = type.aliasSymbol ?? type.symbol;
      if (named as ts.Symbol | undefined) this.#useSymbol(named, user);
      for (const part of type.aliasTypeArguments ?? []) walk(part);
      if (type.isUnionOrIntersection()) type.types.forEach(walk);
      const isReference = (type as ts.TypeReference).target as ts.Type | undefined;
      if (isReference !== undefined) this.#checker.getTypeArguments(type as ts.TypeReference).forEach(walk);
      for (const signature of type.getCallSignatures()) {
        walk(signature.getReturnType());
        for (const parameter of signature.parameters) walk(this.#checker.getTypeOfSymbolAtLocation(parameter, node));
      }
    };
    walk(this.#checker.getTypeAtLocation(node));
  }

  #add(
    node: ts.Declaration,
    name: string,
    kind: PublicMember["kind"],
    owner = name,
    own = this.#checker.getTypeAtLocation(node),
  ): void {
    const place = placeOf(node);
    const signature = ts.isFunctionLike(node)
      ? this.#checker.getSignatureFromDeclaration(node)
      : own.getCallSignatures()[0];
    const shown = kind === "call" && signature !== undefined ? signature.getReturnType() : own;
    const type = this.#checker.typeToString(shown, undefined, ts.TypeFormatFlags.NoTruncation);
    this.members.push({ name, place, kind, owner, doc: docOf(node), type });
  }
}

function isOfError(call: string): boolean {
  return call.endsWith("Error.constructor");
}

function placeOf(node: ts.Node): string {
  const file = node.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(node.getStart());
  return `${relative(projectRoot, file.fileName)}:${String(line + 1)}`;
}

function docOf(node: ts.Node): Doc {
  const texts: string[] = [];
  const tags = new Map<string, string>();
  const ofVariable = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  for (const part of ts.getJSDocCommentsAndTags(ofVariable)) {
    if (!ts.isJSDoc(part)) continue;
    texts.push(ts.getTextOfJSDocComment(part.comment) ?? "");
    for (const tag of part.tags ?? []) tags.set(tag.tagName.text, ts.getTextOfJSDocComment(tag.comment) ?? "");
  }
  return { text: texts.join("\n").trim(), tags };
}

function nameOf(member: ts.ClassElement | ts.TypeElement): string {
  if (member.name !== undefined) return member.name.getText();
  return ts.isConstructorDeclaration(member) ? "constructor" : "[index]";
}

function isHidden(member: ts.ClassElement | ts.TypeElement): boolean {
  const { name } = member;
  if (name !== undefined && (ts.isPrivateIdentifier(name) || ts.isComputedPropertyName(name))) return true;
  // The declarations of the package do not have them.
  if (ts.isClassStaticBlockDeclaration(member) || ts.getJSDocTags(member).some(isInternal)) return true;
  const flags = ts.getCombinedModifierFlags(member);
  return (flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0;
}

function isInternal({ tagName }: ts.JSDocTag): boolean {
  return tagName.text === "internal";
}

function isOptional(member: ts.ClassElement | ts.TypeElement): boolean {
  return "questionToken" in member && member.questionToken !== undefined;
}

// What Pulumi loads into a process of its own; no program names anything of it.
const PROCESS = "./pulumi/provider";

/** The sources of the entries of package.json that have types. */
export function packageEntries(): readonly string[] {
  const text = readFileSync(join(projectRoot, "package.json"), "utf8");
  const { exports } = JSON.parse(text) as { exports: Readonly<Record<string, string | { types: string }>> };
  return Object.entries(exports).flatMap(([name, entry]) =>
    typeof entry === "string" || name === PROCESS
      ? []
      : [join(projectRoot, entry.types.replace(/^\.\/build\/types\//, "").replace(/\.d\.ts$/, ".ts"))],
  );
}

/** The surface of this package. */
export function packageSurface(): PublicSurface {
  const { config } = ts.readConfigFile(join(projectRoot, "tsconfig.json"), ts.sys.readFile) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, projectRoot);
  const ours = /\/(src|pulumi-provider)\//;
  const entries = packageEntries();
  const program = ts.createProgram([...entries], options);
  return new PublicSurface(program, entries, (path) => ours.test(path) && !path.includes("/node_modules/"));
}
