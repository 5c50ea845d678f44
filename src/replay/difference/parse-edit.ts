/** Parses an edit as a person writes it: `#147 $.reason="x"`, `#147 status=503`, `#147 delete header.X-Foo`. */
import { compile } from 'json-p3'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { tryParseJson } from '../../core/traffic/json/try-parse-json.ts'
import { isFieldName, isTransportHeader } from '../../core/traffic/replayable-headers.ts'
import type { EditedPart, ExchangeEdit } from '../../core/traffic/recording/exchange-edit.ts'

/** The forms of an edit, for messages. */
const editForms =
  '$.path=<JSON>, header.<name>=…, query.<name>=…, method=…, path=…, status=…, body=…, or delete and one of these'

/** Printable characters, blanks and tabs. */
const headerText = /^[\t\u{20}-\u{7e}\u{80}-\u{ff}]*$/u

function checkJsonPath(at: string): string | undefined {
  try {
    compile(at)
    return undefined
  } catch (error) {
    return `"${at}" is no JSONPath: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** Why a part cannot be edited like this; `value` is absent when it is to be deleted. */
function partProblem(part: EditedPart, value: string | undefined): string | undefined {
  switch (part.kind) {
    case 'json': {
      const problem = checkJsonPath(part.at)
      if (problem !== undefined || value === undefined) return problem
      if (tryParseJson(value) === undefined)
        return `${value.trim() === '' ? 'nothing' : value} is no JSON value: a text has double quotes, ${part.at}="x"`
      return undefined
    }
    case 'header':
      if (!isFieldName(part.name)) return `"${part.name}" is no name of a header`
      if (isTransportHeader(part.name))
        return `${part.name} is made by the connection and cannot be chosen`
      return value === undefined || headerText.test(value)
        ? undefined
        : `a header cannot hold ${JSON.stringify(value)}`
    case 'query':
      return part.name === '' ? 'the query parameter has no name' : undefined
    case 'body':
      return undefined
    default:
      return value === undefined
        ? `the ${part.kind} can be changed, not deleted`
        : lineProblem(part.kind, value)
  }
}

/** Why a value cannot stand in the first line of a message. */
function lineProblem(kind: 'method' | 'path' | 'status', value: string): string | undefined {
  const [pattern, sample] = lineParts[kind]
  return pattern.test(value) ? undefined : `"${value}" is no ${kind}, such as ${sample}`
}

const lineParts = {
  method: [/^[A-Z]{1,20}$/, 'PUT'],
  path: [/^\/[\u{21}-\u{7e}]*$/u, '/orders/17?all=1'],
  status: [/^[2-5]\d\d$/, '503'],
} as const

/** The edit, if it can be made at all. */
export function checkedEdit(edit: ExchangeEdit): Result<ExchangeEdit, string> {
  const problem = partProblem(edit.part, edit.value)
  return problem === undefined ? ok(edit) : err(problem)
}

/** The index of the `=` after a JSONPath: those in brackets and in quotes belong to the path. */
function endOfJsonPath(text: string): number {
  let depth = 0
  let quote: string | undefined
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (quote !== undefined) {
      if (char === '\\') at++
      else if (char === quote) quote = undefined
    } else if (char === '"' || char === "'") quote = char
    else if (char === '[') depth++
    else if (char === ']') depth--
    else if (char === '=' && depth === 0) return at
  }
  return -1
}

function partOf(text: string): EditedPart | undefined {
  if (text.startsWith('$')) return { kind: 'json', at: text }
  const [, holder, name] = /^(header|query)\.(.*)$/s.exec(text) ?? []
  if (name !== undefined) return { kind: holder === 'header' ? 'header' : 'query', name }
  return text === 'body' || text === 'method' || text === 'path' || text === 'status'
    ? { kind: text }
    : undefined
}

/** The edit that a text describes; the error is a clause that says what is wrong with it. */
export function parseEdit(text: string): Result<ExchangeEdit, string> {
  const [, number, rest = ''] = /^\s*#(\d{1,15})\s+(.*)$/s.exec(text) ?? []
  if (number === undefined)
    return err(`it does not begin with the number of an exchange, as in #147 $.reason="x"`)
  const seq = Number(number)
  const [, deleted] = /^delete\s+(.*)$/s.exec(rest) ?? []
  const cut = rest.startsWith('$') ? endOfJsonPath(rest) : rest.indexOf('=')
  if (deleted === undefined && cut < 0)
    return err(`it does not say what is to be changed to what: ${editForms}`)
  const name = (deleted ?? rest.slice(0, cut)).trim()
  const part = partOf(name)
  if (!part) return err(`"${name}" is no part of a message: ${editForms}`)
  return checkedEdit({
    seq,
    part,
    ...(deleted === undefined ? { value: rest.slice(cut + 1) } : {}),
  })
}
