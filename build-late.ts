/**
 * Values that are made when they are first asked for. Schemas are many, a start needs few of them, and to make them all
 * takes as long as everything else that a start does. So in what is built, a constant that holds one, at the top of a
 * module, becomes a function that makes it once, and whoever names the constant calls the function:
 *
 *   export const Price = z.object({ … })   →   export function Price$late() { return made ??= z.object({ … }) }
 *
 * Sources and tests know nothing of it. It may be done because to make a schema changes nothing else, so that nobody can
 * tell when it was made.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseSync, transformSync } from 'rolldown/utils'
import type { Plugin } from 'rolldown'

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const inner = (node: Node, key: string): unknown => Reflect.get(node, key)

const nodeAt = (node: Node, key: string): Node | undefined => {
  const found = inner(node, key)
  return isNode(found) ? found : undefined
}

const nodesAt = (node: Node, key: string): readonly Node[] => {
  const found = inner(node, key)
  return Array.isArray(found) ? found.filter(isNode) : []
}

const nameOf = (node: Node | undefined): string =>
  node?.type === 'Identifier' ? String(inner(node, 'name')) : ''

/** The nodes directly below, with the property that holds them. */
function* below(node: Node): Generator<readonly [string, Node]> {
  for (const [key, value] of Object.entries(node))
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) yield [key, each]
}

const isFunction = ({ type }: Node): boolean =>
  type === 'ArrowFunctionExpression' || type.startsWith('Function') || type.startsWith('Class')

/** Names of properties are no references: `{ name: 1 }`, `thing.name`. */
const isLabel = (parent: Node, key: string): boolean =>
  inner(parent, 'computed') !== true &&
  ((parent.type === 'MemberExpression' && key === 'property') ||
    (/^(Property|PropertyDefinition|MethodDefinition)$/.test(parent.type) && key === 'key'))

/** The names that a pattern gives: `name`, `{ name, other: [name] }`. */
function given(pattern: Node | undefined): readonly string[] {
  if (!pattern) return []
  if (pattern.type === 'Identifier') return [nameOf(pattern)]
  const parts = ['properties', 'elements'].flatMap((key) => nodesAt(pattern, key))
  const others = ['value', 'left', 'argument'].map((key) => nodeAt(pattern, key))
  return [...parts, ...others].flatMap(given)
}

const declared = (statement: Node): readonly string[] =>
  statement.type === 'VariableDeclaration'
    ? nodesAt(statement, 'declarations').flatMap((each) => given(nodeAt(each, 'id')))
    : /^(Function|Class)Declaration$/.test(statement.type)
      ? given(nodeAt(statement, 'id'))
      : []

/** The names that mean something of their own inside of a node, whatever they mean outside. */
function ownNames(node: Node): readonly string[] {
  const inside = ['body', 'consequent'].flatMap((key) => nodesAt(node, key))
  const heads = ['init', 'left'].flatMap((key) => nodeAt(node, key) ?? [])
  const names = [...inside, ...heads].flatMap(declared)
  if (isFunction(node)) names.push(...nodesAt(node, 'params').flatMap(given))
  if (/^(Function|Class)Expression$/.test(node.type)) names.push(...given(nodeAt(node, 'id')))
  if (node.type === 'CatchClause') names.push(...given(nodeAt(node, 'param')))
  if (node.type === 'SwitchStatement') names.push(...nodesAt(node, 'cases').flatMap(ownNames))
  return names
}

interface Use {
  readonly name: string
  readonly at: Node
  /** `{ name }`, which says the name of a property as well. */
  readonly short: boolean
}

type Into = (node: Node, parent: Node) => boolean

const everywhere: Into = () => true

/** Where names from outside of a node are used as values in it; `into` tells which nodes to look into. */
function* uses(
  node: Node,
  into: Into = everywhere,
  hidden: readonly string[] = [],
): Generator<Use> {
  const own = [...hidden, ...ownNames(node)]
  for (const [key, each] of below(node)) {
    const short = each.type === 'Property' && inner(each, 'shorthand') === true
    const at = short ? nodeAt(each, 'value') : each
    const name = nameOf(at)
    if (isLabel(node, key)) continue
    if (name !== '') {
      if (!own.includes(name)) yield { name, at: each, short }
    } else if (at && into(each, node)) yield* uses(each, into, own)
  }
}

/** What is done while the module is read: all but the insides of functions, unless they are handed to a method. */
const atOnce: Into = (node, parent) =>
  !isFunction(node) ||
  (parent.type === 'CallExpression' && nodeAt(parent, 'callee')?.type === 'MemberExpression')

/** A node around another, so that nothing is different where that one is all there is. */
const around = (value: Node): Node => Object.assign({ type: 'Around', start: 0, end: 0 }, { value })

interface Constant {
  readonly statement: Node
  readonly value: Node
  readonly exported: boolean
  /** The names that it needs to be made. */
  readonly needs: ReadonlySet<string>
}

interface Module {
  readonly source: string
  /** Without its types. */
  readonly code: string
  readonly body: readonly Node[]
  readonly constants: ReadonlyMap<string, Constant>
  /** By their names here: where they come from, and what they are called there. */
  readonly imported: ReadonlyMap<string, readonly [file: string, name: string]>
  /** The modules that it does not take name by name: it imports them later, hands them on, or takes all there is. */
  readonly asWhole: readonly string[]
}

function constantOf(statement: Node): readonly (readonly [string, Constant])[] {
  const exported = statement.type === 'ExportNamedDeclaration'
  const declaration = exported ? nodeAt(statement, 'declaration') : statement
  if (declaration?.type !== 'VariableDeclaration' || inner(declaration, 'kind') !== 'const')
    return []
  const [only, ...others] = nodesAt(declaration, 'declarations')
  const value = only && nodeAt(only, 'init')
  const name = only && nameOf(nodeAt(only, 'id'))
  if (!name || !value || others.length > 0 || isFunction(value)) return []
  const needs = new Set(Array.from(uses(around(value), atOnce), ({ name: each }) => each))
  return [[name, { statement, value, exported, needs }]]
}

/** Every module that is asked for below a node otherwise than name by name. */
function wholes(node: Node): readonly string[] {
  const source = nodeAt(node, 'source')
  const named = node.type === 'ImportDeclaration' && !nodesAt(node, 'specifiers').some(isNamespace)
  const own = source && !named ? [String(inner(source, 'value'))] : []
  return [...own, ...Array.from(below(node), ([, each]) => wholes(each)).flat()]
}

const isNamespace = ({ type }: Node): boolean => type === 'ImportNamespaceSpecifier'

function read(file: string): Module {
  const source = readFileSync(file, 'utf8')
  const { code } = transformSync(file, source, {
    typescript: { onlyRemoveTypeImports: true },
    jsx: { runtime: 'automatic' },
  })
  const { program } = parseSync('module.js', code)
  const body: readonly Node[] = program.body
  const place = (from: string): string =>
    from.startsWith('.') ? resolve(dirname(file), from) : from
  const imported = new Map<string, readonly [string, string]>()
  for (const statement of body) {
    if (statement.type !== 'ImportDeclaration') continue
    const from = place(String(inner(nodeAt(statement, 'source') ?? statement, 'value')))
    for (const each of nodesAt(statement, 'specifiers'))
      imported.set(nameOf(nodeAt(each, 'local')), [from, nameOf(nodeAt(each, 'imported'))])
  }
  const constants = new Map(body.flatMap(constantOf))
  return { source, code, body, constants, imported, asWhole: body.flatMap(wholes).map(place) }
}

const keyOf = ([file, name]: readonly [file: string, name: string]): string => `${file} ${name}`

/** The constants that are made late: what needs the library of schemas to be made, and what needs such a constant. */
function lateOnes(modules: ReadonlyMap<string, Module>): ReadonlySet<string> {
  const late = new Set(['zod z'])
  const isLate = (file: string, { imported }: Module, name: string): boolean =>
    late.has(keyOf(imported.get(name) ?? [file, name]))
  for (let known = 0; known < late.size;) {
    known = late.size
    for (const [file, module] of modules)
      for (const [name, { needs }] of module.constants)
        if ([...needs].some((each) => isLate(file, module, each))) late.add(keyOf([file, name]))
  }
  late.delete('zod z')
  return late
}

interface Plan {
  readonly module: Module
  readonly late: ReadonlySet<string>
  /** Whether somebody takes the module as it is, and so looks for its constants by their names. */
  readonly whole: boolean
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

function edited(code: string, edits: readonly Edit[]): string {
  let text = ''
  let from = 0
  for (const edit of edits.toSorted((one, other) => one.start - other.start)) {
    text += code.slice(from, edit.start) + edit.text
    from = edit.end
  }
  return text + code.slice(from)
}

/** What an import takes in the place of constants that are functions now. */
function importEdits(statement: Node, isLate: (name: string) => boolean): readonly Edit[] {
  return nodesAt(statement, 'specifiers').flatMap((each) => {
    const local = nameOf(nodeAt(each, 'local'))
    const text = `${nameOf(nodeAt(each, 'imported'))}$late as ${local}$late`
    return isLate(local) ? [{ start: each.start, end: each.end, text }] : []
  })
}

/** The module with its late constants as functions, and with calls where it names some. */
function rewritten(file: string, { module, late, whole }: Plan): string {
  const { body, code, constants, imported } = module
  const edits: Edit[] = []
  const isLate = (name: string): boolean => late.has(keyOf(imported.get(name) ?? [file, name]))
  const call = (node: Node): void => {
    for (const { name, at, short } of uses(node)) {
      const text = `${short ? `${name}: ` : ''}${name}$late()`
      if (isLate(name)) edits.push({ start: at.start, end: at.end, text })
    }
  }
  const done = new Set<Node>()
  let ending = ''
  for (const [name, { statement, value, exported }] of constants) {
    if (!isLate(name)) continue
    done.add(statement)
    const head = `${exported ? 'export ' : ''}function ${name}$late()`
    const text = `let ${name}$made;\n${head} { return ${name}$made ??= (`
    edits.push({ start: statement.start, end: value.start, text })
    edits.push({ start: value.end, end: statement.end, text: ') }' })
    call(around(value))
    if (exported && whole)
      ending += `\nconst ${name}$now = /* @__PURE__ */ ${name}$late()\nexport { ${name}$now as ${name} }`
  }
  for (const statement of body)
    if (statement.type === 'ImportDeclaration') edits.push(...importEdits(statement, isLate))
    else if (!done.has(statement) && !nodeAt(statement, 'source')) call(around(statement))
  return edited(code, edits) + ending
}

/** For the bundler: the sources of a folder, with what can be made late made late. */
export function lateValues(folder: string): Plugin {
  const files = globSync('**/*.{ts,tsx}', { cwd: folder })
    .filter((each) => !/\.test\.tsx?$/.test(each))
    .map((each) => join(folder, each))
  const modules = new Map(files.map((each) => [each, read(each)]))
  const late = lateOnes(modules)
  const whole = new Set([...modules.values()].flatMap((each) => each.asWhole))
  return {
    name: 'late-values',
    transform(source, id) {
      const module = modules.get(id)
      // What somebody else put in its place stays as it is.
      if (module?.source !== source) return undefined
      return { code: rewritten(id, { module, late, whole: whole.has(id) }), moduleType: 'js' }
    },
  }
}
