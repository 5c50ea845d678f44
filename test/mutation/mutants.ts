/** The mutants of a source file: every single small change that the operators can make, outside of types and prose. */
import { parseSync } from 'rolldown/utils'
import { isNode, type Node, nodeAt, nodesAt, propertyOf } from './syntax-tree.ts'

export interface Mutant {
  readonly operator: Operator
  readonly start: number
  readonly end: number
  /** What stands between `start` and `end` instead. */
  readonly replacement: string
}

export interface PlacedMutant extends Mutant {
  /** Outside of functions code runs once, when its module is loaded. */
  readonly inFunction: boolean
}

export const operators = [
  'flip comparison',
  'move boundary',
  'negate condition',
  'swap logic',
  'drop default',
  'drop guard',
  'drop statement',
  'return early',
  'replace number',
  'replace string',
  'replace boolean',
  'swap arithmetic',
  'swap method',
  'drop element',
  'drop property',
] as const

export type Operator = (typeof operators)[number]

const textAt = (node: Node, key: string): string => {
  const found = propertyOf(node, key)
  return typeof found === 'string' ? found : ''
}

const nameOf = (node: Node | undefined): string =>
  node === undefined ? '' : textAt(node, 'name') || textAt(node, 'value')

const flipped: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
}

const moved: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }

const arithmetic: Readonly<Record<string, string>> = { '-': '+', '+': '-', '*': '/', '/': '*' }

const methods = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['find', 'findLast'],
])

/** Members that hold prose for people: neither they nor what they hold is changed. */
const prose = new Set(
  'because button clause clauses code describe description example examples footer help hint name notice remedy reason says sentence summary text title'.split(
    ' ',
  ),
)

/** An identifier, a path or a code; texts with spaces are for people. */
const isCodeText = (text: string): boolean => text !== '' && !text.includes(' ')

/** One item less in a list, with the comma that separates it. */
function* withoutOne(operator: Operator, text: string, items: readonly Node[]): Generator<Mutant> {
  for (const [index, item] of items.entries()) {
    if (prose.has(nameOf(nodeAt(item, 'key')))) continue
    const [before, next] = [items[index - 1], items[index + 1]]
    const comma = /^\s*,/.exec(text.slice(item.end))?.[0].length ?? 0
    const start = before && !next ? before.end : item.start
    const end = next?.start ?? item.end + (before ? 0 : comma)
    yield { operator, start, end, replacement: '' }
  }
}

/** The comparison, condition, logic, … of one node, as mutants. */
function* own(text: string, node: Node): Generator<Mutant> {
  const source = (of: Node | undefined): string =>
    of === undefined ? '' : text.slice(of.start, of.end)
  const change = (operator: Operator, replacement: string, of: Node = node): Mutant => ({
    operator,
    start: of.start,
    end: of.end,
    replacement,
  })
  const pair = (sign: string): string =>
    `${source(nodeAt(node, 'left'))} ${sign} ${source(nodeAt(node, 'right'))}`
  const sign = textAt(node, 'operator')
  switch (node.type) {
    case 'BinaryExpression': {
      const [other, boundary, calculated] = [flipped[sign], moved[sign], arithmetic[sign]]
      if (other !== undefined) yield change('flip comparison', pair(other))
      if (boundary !== undefined) yield change('move boundary', pair(boundary))
      // With a text on one side, `+` joins texts.
      const joins = ['left', 'right'].some(
        (key) =>
          /^(?:Template|Literal$)/.test(nodeAt(node, key)?.type ?? '') &&
          !/^\d/.test(source(nodeAt(node, key))),
      )
      if (calculated !== undefined && !joins) yield change('swap arithmetic', pair(calculated))
      return
    }
    case 'LogicalExpression':
      if (sign === '??') yield change('drop default', source(nodeAt(node, 'left')))
      else yield change('swap logic', `(${pair(sign === '&&' ? '||' : '&&')})`)
      return
    case 'UnaryExpression':
      if (sign === '!') yield change('negate condition', `!!${source(nodeAt(node, 'argument'))}`)
      return
    case 'IfStatement':
    case 'ConditionalExpression':
    case 'WhileStatement': {
      const test = nodeAt(node, 'test')
      if (test) yield change('negate condition', `!(${source(test)})`, test)
      if (node.type === 'IfStatement' && !nodeAt(node, 'alternate'))
        yield change('drop statement', ';')
      return
    }
    case 'ExpressionStatement':
      if (textAt(node, 'directive') === '') yield change('drop statement', ';')
      return
    case 'ContinueStatement':
    case 'BreakStatement':
      yield change('drop statement', ';')
      return
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression': {
      const body = nodeAt(node, 'body')
      const first = body && nodesAt(body, 'body')[0]
      if (body?.type.endsWith('BlockStatement') === true || body?.type === 'FunctionBody')
        if (first)
          yield {
            operator: 'return early',
            start: first.start,
            end: first.start,
            replacement: 'return; ',
          }
      return
    }
    case 'Literal': {
      const value = propertyOf(node, 'value')
      if (typeof value === 'number') yield change('replace number', `(${source(node)} + 1)`)
      if (typeof value === 'boolean') yield change('replace boolean', String(!value))
      if (typeof value === 'string' && isCodeText(value)) yield change('replace string', "''")
      return
    }
    case 'MemberExpression': {
      const property = nodeAt(node, 'property')
      const object = nodeAt(node, 'object')
      if (!property || !object || propertyOf(node, 'computed') === true) {
        if (object && property && propertyOf(node, 'optional') === true)
          yield change('drop guard', `${source(object)}[${source(property)}]`)
        return
      }
      const method = methods.get(source(property))
      if (method !== undefined) yield change('swap method', method, property)
      if (propertyOf(node, 'optional') === true)
        yield change('drop guard', `${source(object)}.${source(property)}`)
      return
    }
    case 'ArrayExpression':
      yield* withoutOne('drop element', text, nodesAt(node, 'elements'))
      return
    case 'ObjectExpression':
      yield* withoutOne('drop property', text, nodesAt(node, 'properties'))
      return
    default:
  }
}

/** The members of a node that hold code: neither types, nor module names, nor names of members, nor prose. */
function codeKeys(node: Node): readonly string[] {
  if (/^TS(?:As|Satisfies|NonNull)/.test(node.type)) return ['expression']
  if (/^(?:TS|Import(?:Declaration|Expression)|ExportAll)/.test(node.type)) return []
  if (node.type === 'ExportNamedDeclaration') return ['declaration']
  if (node.type === 'Property' || node.type === 'PropertyDefinition')
    return prose.has(nameOf(nodeAt(node, 'key'))) ? [] : ['value']
  const callee = node.type === 'CallExpression' ? nodeAt(node, 'callee') : undefined
  if (callee && prose.has(nameOf(nodeAt(callee, 'property')))) return ['callee']
  return Object.keys(node)
}

const isFunction = ({ type }: Node): boolean =>
  /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type)

function* walk(text: string, node: Node, isInFunction = false): Generator<PlacedMutant> {
  const inFunction = isInFunction || isFunction(node)
  for (const mutant of own(text, node)) yield { ...mutant, inFunction }
  for (const key of codeKeys(node))
    for (const child of [nodeAt(node, key) ?? [], nodesAt(node, key)].flat())
      yield* walk(text, child, inFunction)
}

export const mutated = (text: string, { start, end, replacement }: Mutant): string =>
  text.slice(0, start) + replacement + text.slice(end)

/** Whether the mutant is still a program. */
export const parses = (path: string, text: string): boolean =>
  parseSync(path, text).errors.length === 0

/** All mutants of a file, in the order of the text. */
export function mutantsOf(path: string, text: string): readonly PlacedMutant[] {
  const { program } = parseSync(path, text)
  return isNode(program) ? [...walk(text, program)] : []
}
