/**
 * Lazy initialization of top-level constants. Creating all zod schemas takes as long as the rest of a start, which
 * needs few of them. In the build, a top-level constant that holds a schema becomes a memoized function, and every use
 * of the constant becomes a call:
 *
 *   export const Price = z.object({ … })   →   export function Price$late() { return made ??= z.object({ … }) }
 *
 * Sources and tests stay as they are. This is safe because creating a schema has no side effects.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseSync, transformSync } from 'rolldown/utils'
import type { Plugin } from 'rolldown'
import { isNode, type Node, nodeAt, nodesAt, propertyOf } from './syntax-tree.ts'

const nameOf = (node: Node | undefined): string =>
  node?.type === 'Identifier' ? String(propertyOf(node, 'name')) : ''

/** The child nodes, each with the property that holds it. */
function* children(node: Node): Generator<readonly [string, Node]> {
  for (const [key, value] of Object.entries(node))
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) yield [key, each]
}

const isFunction = ({ type }: Node): boolean =>
  type === 'ArrowFunctionExpression' || type.startsWith('Function') || type.startsWith('Class')

/** Whether the child is a property name and not a reference: `{ name: 1 }`, `thing.name`. */
const isPropertyName = (parent: Node, key: string): boolean =>
  propertyOf(parent, 'computed') !== true &&
  ((parent.type === 'MemberExpression' && key === 'property') ||
    (/^(Property|PropertyDefinition|MethodDefinition)$/.test(parent.type) && key === 'key'))

/** The names that a binding pattern declares: `name`, `{ name, other: [name] }`. */
function boundNames(pattern: Node | undefined): readonly string[] {
  if (!pattern) return []
  if (pattern.type === 'Identifier') return [nameOf(pattern)]
  const parts = ['properties', 'elements'].flatMap((key) => nodesAt(pattern, key))
  const others = ['value', 'left', 'argument'].map((key) => nodeAt(pattern, key))
  return [...parts, ...others].flatMap(boundNames)
}

const declaredNames = (statement: Node): readonly string[] =>
  statement.type === 'VariableDeclaration'
    ? nodesAt(statement, 'declarations').flatMap((each) => boundNames(nodeAt(each, 'id')))
    : /^(Function|Class)Declaration$/.test(statement.type)
      ? boundNames(nodeAt(statement, 'id'))
      : []

/** The names declared inside of a node, which shadow those outside. */
function scopeNames(node: Node): readonly string[] {
  const inside = ['body', 'consequent'].flatMap((key) => nodesAt(node, key))
  const heads = ['init', 'left'].flatMap((key) => nodeAt(node, key) ?? [])
  const names = [...inside, ...heads].flatMap(declaredNames)
  if (isFunction(node)) names.push(...nodesAt(node, 'params').flatMap(boundNames))
  if (/^(Function|Class)Expression$/.test(node.type)) names.push(...boundNames(nodeAt(node, 'id')))
  if (node.type === 'CatchClause') names.push(...boundNames(nodeAt(node, 'param')))
  if (node.type === 'SwitchStatement') names.push(...nodesAt(node, 'cases').flatMap(scopeNames))
  return names
}

interface FreeName {
  readonly name: string
  readonly at: Node
  /** Shorthand `{ name }`: the name of the property has to be kept. */
  readonly isShorthand: boolean
}

type VisitFilter = (node: Node, parent: Node) => boolean

const visitAll: VisitFilter = () => true

/** Uses of free names as values within a node; `shouldVisit` decides which child nodes are visited. */
function* freeNames(
  node: Node,
  shouldVisit: VisitFilter = visitAll,
  shadowed: readonly string[] = [],
): Generator<FreeName> {
  const own = [...shadowed, ...scopeNames(node)]
  for (const [key, each] of children(node)) {
    const short = each.type === 'Property' && propertyOf(each, 'shorthand') === true
    const at = short ? nodeAt(each, 'value') : each
    const name = nameOf(at)
    if (isPropertyName(node, key)) continue
    if (name !== '') {
      if (!own.includes(name)) yield { name, at: each, isShorthand: short }
    } else if (at && shouldVisit(each, node)) yield* freeNames(each, shouldVisit, own)
  }
}

/** Visits what runs while the module is evaluated: everything but function bodies, except callbacks of method calls. */
const visitEvaluated: VisitFilter = (node, parent) =>
  !isFunction(node) ||
  (parent.type === 'CallExpression' && nodeAt(parent, 'callee')?.type === 'MemberExpression')

/** Wraps a node in a parent, so that a root that is a bare identifier is visited like any other child. */
const wrap = (value: Node): Node => Object.assign({ type: 'Around', start: 0, end: 0 }, { value })

interface Constant {
  readonly statement: Node
  readonly value: Node
  readonly exported: boolean
  /** The free names that its initializer evaluates. */
  readonly needs: ReadonlySet<string>
}

interface Module {
  readonly source: string
  /** The source with its types removed. */
  readonly code: string
  readonly body: readonly Node[]
  readonly constants: ReadonlyMap<string, Constant>
  /** By local name: source file and exported name. */
  readonly imported: ReadonlyMap<string, readonly [file: string, name: string]>
  /** The modules that it does not import name by name: dynamic imports, re-exports, namespace imports. */
  readonly wholeImports: readonly string[]
}

function constantOf(statement: Node): readonly (readonly [string, Constant])[] {
  const exported = statement.type === 'ExportNamedDeclaration'
  const declaration = exported ? nodeAt(statement, 'declaration') : statement
  if (declaration?.type !== 'VariableDeclaration' || propertyOf(declaration, 'kind') !== 'const')
    return []
  const [only, ...others] = nodesAt(declaration, 'declarations')
  const value = only && nodeAt(only, 'init')
  const name = only && nameOf(nodeAt(only, 'id'))
  if (!name || !value || others.length > 0 || isFunction(value)) return []
  const needs = new Set(
    Array.from(freeNames(wrap(value), visitEvaluated), ({ name: each }) => each),
  )
  return [[name, { statement, value, exported, needs }]]
}

/** Every module that a node refers to otherwise than by a named import. */
function wholeImports(node: Node): readonly string[] {
  const source = nodeAt(node, 'source')
  const named = node.type === 'ImportDeclaration' && !nodesAt(node, 'specifiers').some(isNamespace)
  const own = source && !named ? [String(propertyOf(source, 'value'))] : []
  return [...own, ...Array.from(children(node), ([, each]) => wholeImports(each)).flat()]
}

const isNamespace = ({ type }: Node): boolean => type === 'ImportNamespaceSpecifier'

function readModule(file: string): Module {
  const source = readFileSync(file, 'utf8')
  const { code } = transformSync(file, source, {
    typescript: { onlyRemoveTypeImports: true },
    jsx: { runtime: 'automatic' },
  })
  const { program } = parseSync('module.js', code)
  const body: readonly Node[] = program.body
  const resolveSpecifier = (from: string): string =>
    from.startsWith('.') ? resolve(dirname(file), from) : from
  const imported = new Map<string, readonly [string, string]>()
  for (const statement of body) {
    if (statement.type !== 'ImportDeclaration') continue
    const from = resolveSpecifier(
      String(propertyOf(nodeAt(statement, 'source') ?? statement, 'value')),
    )
    for (const each of nodesAt(statement, 'specifiers'))
      imported.set(nameOf(nodeAt(each, 'local')), [from, nameOf(nodeAt(each, 'imported'))])
  }
  const constants = new Map(body.flatMap(constantOf))
  return {
    source,
    code,
    body,
    constants,
    imported,
    wholeImports: body.flatMap(wholeImports).map(resolveSpecifier),
  }
}

const keyOf = ([file, name]: readonly [file: string, name: string]): string => `${file} ${name}`

/** The constants to initialize lazily: those that use `z`, and transitively those that use such a constant. */
function findLazyConstants(modules: ReadonlyMap<string, Module>): ReadonlySet<string> {
  const lazy = new Set(['zod z'])
  const isLazy = (file: string, { imported }: Module, name: string): boolean =>
    lazy.has(keyOf(imported.get(name) ?? [file, name]))
  for (let known = 0; known < lazy.size;) {
    known = lazy.size
    for (const [file, module] of modules)
      for (const [name, { needs }] of module.constants)
        if ([...needs].some((each) => isLazy(file, module, each))) lazy.add(keyOf([file, name]))
  }
  lazy.delete('zod z')
  return lazy
}

interface RewritePlan {
  readonly module: Module
  readonly lazy: ReadonlySet<string>
  /** Whether a module imports this one as a whole, and so needs its constants under their own names. */
  readonly isImportedWhole: boolean
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

function applyEdits(code: string, edits: readonly Edit[]): string {
  let text = ''
  let from = 0
  for (const edit of edits.toSorted((one, other) => one.start - other.start)) {
    text += code.slice(from, edit.start) + edit.text
    from = edit.end
  }
  return text + code.slice(from)
}

/** Edits that import the `$late` functions in place of their constants. */
function importEdits(statement: Node, isLazy: (name: string) => boolean): readonly Edit[] {
  return nodesAt(statement, 'specifiers').flatMap((each) => {
    const local = nameOf(nodeAt(each, 'local'))
    const text = `${nameOf(nodeAt(each, 'imported'))}$late as ${local}$late`
    return isLazy(local) ? [{ start: each.start, end: each.end, text }] : []
  })
}

/** The code with its lazy constants as functions and every use of them as a call. */
function rewriteModule(
  file: string,
  { module, lazy, isImportedWhole: whole }: RewritePlan,
): string {
  const { body, code, constants, imported } = module
  const edits: Edit[] = []
  const isLazy = (name: string): boolean => lazy.has(keyOf(imported.get(name) ?? [file, name]))
  const addCalls = (node: Node): void => {
    for (const { name, at, isShorthand: short } of freeNames(node)) {
      const text = `${short ? `${name}: ` : ''}${name}$late()`
      if (isLazy(name)) edits.push({ start: at.start, end: at.end, text })
    }
  }
  const done = new Set<Node>()
  let suffix = ''
  for (const [name, { statement, value, exported }] of constants) {
    if (!isLazy(name)) continue
    done.add(statement)
    const head = `${exported ? 'export ' : ''}function ${name}$late()`
    const text = `let ${name}$made;\n${head} { return ${name}$made ??= (`
    edits.push({ start: statement.start, end: value.start, text })
    edits.push({ start: value.end, end: statement.end, text: ') }' })
    addCalls(wrap(value))
    if (exported && whole)
      suffix += `\nconst ${name}$now = /* @__PURE__ */ ${name}$late()\nexport { ${name}$now as ${name} }`
  }
  for (const statement of body)
    if (statement.type === 'ImportDeclaration') edits.push(...importEdits(statement, isLazy))
    else if (!done.has(statement) && !nodeAt(statement, 'source')) addCalls(wrap(statement))
  return applyEdits(code, edits) + suffix
}

/** Bundler plugin: lazy initialization for the sources of a folder. */
export function lazyValues(folder: string): Plugin {
  const files = globSync('**/*.{ts,tsx}', { cwd: folder })
    .filter((each) => !/\.test\.tsx?$/.test(each))
    .map((each) => join(folder, each))
  const modules = new Map(files.map((each) => [each, readModule(each)]))
  const lazy = findLazyConstants(modules)
  const whole = new Set([...modules.values()].flatMap((each) => each.wholeImports))
  return {
    name: 'late-values',
    transform(source, id) {
      const module = modules.get(id)
      // A module that another plugin has replaced stays as it is.
      if (module?.source !== source) return undefined
      return {
        code: rewriteModule(id, { module, lazy, isImportedWhole: whole.has(id) }),
        moduleType: 'js',
      }
    },
  }
}
