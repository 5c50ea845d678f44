/** Edits a JSON body at the places of a JSONPath. All other values keep their spelling. */
import { compile, JSONPatch, type JSONValue } from 'json-p3'
import { err, ok, type Result } from '../../protocol/result.ts'
import { escapePointerKey } from '../json/json-pointer.ts'
import { parseLosslessJson } from '../json/lossless-json.ts'
import { tryParseJson } from '../json/try-parse-json.ts'

/** A body after an edit, and the JSON that was at its places before; absent when there was nothing. */
interface EditedBody {
  readonly body: string
  readonly was?: string
}

type Query = ReturnType<typeof compile>

const memberNames = (value: JSONValue | undefined): string => {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const names = Object.keys(value)
  return names.length === 0 ? 'an empty object' : names.slice(0, 12).join(', ')
}

/** The pointer of a member that is not there yet, in an object or at the end of a list. */
function newMember({ segments }: Query, root: JSONValue): Result<string, string> {
  const parent = compile(`$${segments.slice(0, -1).join('')}`).match(root)
  const [selector] = segments.at(-1)?.selectors ?? []
  if (!parent || !selector) return err(`the body has ${memberNames(root)}`)
  const { value } = parent
  const key: unknown = Reflect.get(selector, Array.isArray(value) ? 'index' : 'name')
  const isFree =
    typeof key === 'string'
      ? typeof value === 'object' && value !== null
      : Array.isArray(value) && key === value.length
  return isFree
    ? ok(`${String(parent.toPointer())}/${escapePointerKey(String(key))}`)
    : err(`there is ${memberNames(value)}`)
}

/** The places to edit, as JSON Pointers: those that are there, or one that can be added. */
function pointersOf(
  query: Query,
  root: JSONValue,
  adds: boolean,
): Result<readonly string[], string> {
  const found = query.query(root).pointers().map(String)
  if (found.length > 0) return ok(found)
  const added =
    adds && query.singularQuery()
      ? newMember(query, root)
      : err(`the body has ${memberNames(root)}`)
  return added.ok ? ok([added.value]) : added
}

/** `value` is JSON; undefined deletes the places. */
export function editJsonBody(
  body: string | undefined,
  at: string,
  value: string | undefined,
): Result<EditedBody, string> {
  if (at === '$' && value !== undefined)
    return ok({ body: value.trim(), ...(body === undefined ? {} : { was: body }) })
  if (at === '$') return err('the whole body is deleted by: delete body')
  const plain = tryParseJson(body)
  if (body === undefined || plain === undefined)
    return err(
      `there is no JSON body to find ${at} in: ${body === undefined ? 'it has none' : 'it is another text'}; body=… replaces it whole`,
    )
  try {
    const query = compile(at)
    const root = plain as JSONValue
    const pointers = pointersOf(query, root, value !== undefined)
    if (!pointers.ok) return err(`there is no ${at}: ${pointers.error}`)
    const before = query.query(root).values()
    const edited = new JSONPatch(
      // From the last to the first, so that the positions of lists stay true.
      pointers.value.toReversed().map((path) =>
        value === undefined
          ? { op: 'remove', path }
          : {
              op: before.length === 0 ? 'add' : 'replace',
              path,
              value: parseLosslessJson(value) as JSONValue,
            },
      ),
    ).apply(parseLosslessJson(body) as JSONValue)
    return ok({
      body: JSON.stringify(edited),
      ...(before.length === 0
        ? {}
        : { was: before.map((each) => JSON.stringify(each)).join(', ') }),
    })
  } catch (error) {
    return err(`${at} cannot be edited: ${error instanceof Error ? error.message : String(error)}`)
  }
}
