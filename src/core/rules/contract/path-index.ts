/**
 * Finds the operation of a request by method and path: literal segments before parameters, under the prefixes of the
 * servers.
 */
import { appendTo } from '../../traffic/append-to.ts'
import { urlPath } from '../../traffic/recognise-operation.ts'
import type { ContractOperation } from './contract-operations.ts'

export interface MatchedOperation {
  readonly operation: ContractOperation
  /** Texts of the path parameters, decoded. */
  readonly values: ReadonlyMap<string, string>
}

/** What a document says about a path: an operation, other methods only, or nothing. */
export type PathMatch =
  | ({ readonly kind: 'operation' } & MatchedOperation)
  | { readonly kind: 'other-methods'; readonly path: string; readonly methods: readonly string[] }
  | { readonly kind: 'none' }

export interface PathIndex {
  readonly find: (method: string, url: string) => PathMatch
}

/** A segment is a text, a parameter, or several texts with parameters between them. */
interface Segment {
  readonly text: string
  /** The texts around the parameters; undefined for a text, and for a whole parameter. */
  readonly around: readonly string[] | undefined
  readonly names: readonly string[]
}

interface Template {
  readonly path: string
  readonly segments: readonly Segment[]
  readonly literals: number
  readonly byMethod: Map<string, ContractOperation>
}

function decoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function segmentOf(text: string): Segment {
  const names = [...text.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
  if (names.length === 0) return { text: decoded(text), around: undefined, names }
  if (text === `{${names[0]}}`) return { text, around: undefined, names }
  return { text, around: text.split(/\{[^{}]+\}/).map(decoded), names }
}

/** The values between these texts, none of them empty; an earlier one is as long as it can be. */
function valuesBetween(around: readonly string[], value: string): readonly string[] | undefined {
  const [first = '', ...inner] = around
  const last = inner.pop() ?? ''
  if (!value.startsWith(first) || !value.endsWith(last)) return undefined
  const values: string[] = []
  let end = value.length - last.length
  for (const text of inner.toReversed()) {
    const from = end - text.length - 1
    const at = from > first.length ? value.lastIndexOf(text, from) : -1
    if (at <= first.length) return undefined
    values.unshift(value.slice(at + text.length, end))
    end = at
  }
  return end > first.length ? [value.slice(first.length, end), ...values] : undefined
}

const segmentsOf = (path: string): readonly string[] =>
  (path.endsWith('/') ? path.replace(/\/+$/, '') : path).split('/').slice(1)

/** Whether the path fits; then the values of its parameters. */
function valuesOf(
  { segments }: Template,
  path: readonly string[],
): ReadonlyMap<string, string> | undefined {
  const values = new Map<string, string>()
  for (const [index, { text, around, names }] of segments.entries()) {
    const value = path[index] ?? ''
    const [name] = names
    if (!around) {
      if (name === undefined ? text !== value : value === '') return undefined
      if (name !== undefined) values.set(name, value)
      continue
    }
    const found = valuesBetween(around, value)
    if (!found) return undefined
    for (const [position, each] of names.entries()) values.set(each, found[position] ?? '')
  }
  return values
}

const noValues: ReadonlyMap<string, string> = new Map()

/** `bases` are paths under which a host is served, besides those of the document's servers. */
export function createPathIndex(
  operations: readonly ContractOperation[],
  bases: readonly string[],
): PathIndex {
  /** Paths without parameters, which come first and are most of the traffic, by method and path. */
  const literals = new Map<string, ContractOperation>()
  /** By prefix and number of segments; longer prefixes come first. */
  const templates = new Map<string, Map<number, Template[]>>()
  for (const operation of operations)
    for (const prefix of operation.prefixes)
      for (const base of new Set(['', ...bases])) addTemplate(`${base}${prefix}`, operation)
  const prefixes = [...templates.keys()].sort((one, other) => other.length - one.length)
  for (const byLength of templates.values())
    for (const list of byLength.values()) list.sort((one, other) => other.literals - one.literals)

  function addTemplate(prefix: string, operation: ContractOperation): void {
    const byLength = templates.get(prefix) ?? new Map<number, Template[]>()
    templates.set(prefix, byLength)
    const segments = segmentsOf(operation.path).map(segmentOf)
    const known = byLength.get(segments.length)?.find(({ path }) => path === operation.path)
    const template = known ?? {
      path: operation.path,
      segments,
      literals: segments.filter(({ names }) => names.length === 0).length,
      byMethod: new Map<string, ContractOperation>(),
    }
    if (!known) appendTo(byLength, segments.length, template)
    template.byMethod.set(operation.method, operation)
    if (template.literals === segments.length && segments.every(({ text }) => !text.includes('%')))
      literals.set(`${operation.method} ${prefix}${operation.path}`, operation)
  }

  function under(prefix: string, path: string, method: string): PathMatch | undefined {
    if (!path.startsWith(prefix) || (path.length > prefix.length && path[prefix.length] !== '/'))
      return undefined
    const segments = segmentsOf(path.slice(prefix.length)).map(decoded)
    let others: Template | undefined
    for (const template of templates.get(prefix)?.get(segments.length) ?? []) {
      const values = valuesOf(template, segments)
      if (!values) continue
      const operation = template.byMethod.get(method)
      if (operation) return { kind: 'operation', operation, values }
      others ??= template
    }
    return (
      others && { kind: 'other-methods', path: others.path, methods: [...others.byMethod.keys()] }
    )
  }

  return {
    find(method, url) {
      const path = urlPath(url)
      const verb = method.toUpperCase()
      const literal = literals.get(`${verb} ${path}`)
      if (literal) return { kind: 'operation', operation: literal, values: noValues }
      let otherMethods: PathMatch | undefined
      for (const prefix of prefixes) {
        const found = under(prefix, path, verb)
        if (found?.kind === 'operation') return found
        otherMethods ??= found
      }
      return otherMethods ?? { kind: 'none' }
    },
  }
}
