/**
 * URLs as they stand in a line, with the parameters that a route found in them. Most calls go to one of a few paths with
 * an id in it that is new each time: there the path is redacted once, and the id is put into what that gave. Only where
 * the redaction says that it passes over the id, whichever it is; every other URL is redacted whole, and remembered.
 */
import type { Exchange } from '../exchange.ts'
import { createMemory } from '../generational-cache.ts'
import { redRows } from './rows.ts'
import { isUuid } from '../redaction/fast-path.ts'
import type { Redactor } from '../redaction/redactor.ts'

/** The URL as it was, and what its path says. */
export interface Where {
  readonly url: string
  readonly about: string
}

export interface UrlPart extends Where {
  /** What is written for it: a JSON string. */
  readonly json: string
  /** A JSON object; empty when there are no parameters. */
  readonly params: string
  readonly red: string
}

type Params = Exchange['params']

interface KeptUrl extends UrlPart {
  readonly given: Params
}

/** A path around an id. */
interface Around {
  /** The URL before the id and behind it, as they were. */
  readonly before: string
  readonly behind: string
  /** The name of the one parameter, whose value the id is. */
  readonly name: string
  /** What is written before and behind the id: in the URL, and in the parameters. */
  readonly json: readonly [before: string, behind: string]
  readonly params: readonly [before: string, behind: string]
  readonly red: string
  readonly about: string
}

/** Paths around an id that are remembered for one operation: one for each address that it is called at. */
const mostAround = 8
const uuidLength = 36

function isSame(a: Params, b: Params): boolean {
  if (a === b) return true
  if (!a || !b) return false
  for (const name in a) if (a[name] !== b[name]) return false
  for (const name in b) if (!(name in a)) return false
  return true
}

const lengthOf = (params: Params): number =>
  Object.entries(params ?? {}).reduce((sum, [name, value]) => sum + name.length + value.length, 0)

/** The one parameter, when it is an id. */
function soleId(params: Params): string | undefined {
  let found: string | undefined
  for (const name in params) {
    if (found !== undefined) return undefined
    found = name
  }
  const value = found === undefined ? undefined : params?.[found]
  return value !== undefined && value.length === uuidLength && isUuid(value) ? found : undefined
}

const fits = ({ before, behind }: Around, url: string, id: string): boolean =>
  url.length === before.length + uuidLength + behind.length &&
  url.startsWith(before) &&
  url.startsWith(id, before.length) &&
  url.endsWith(behind)

export function createUrls(redactor: Redactor | undefined): (exchange: Exchange) => UrlPart {
  const urls = createMemory<KeptUrl>({ entries: 10_000, bytes: 8_000_000 })
  const around = new Map<Exchange['operation'], Around[]>()

  function make(url: string, params: Params): KeptUrl {
    const { value, red } = redactor
      ? redactor.url(url, params)
      : { value: { url, params }, red: [] }
    return {
      url,
      json: JSON.stringify(value.url),
      params: value.params ? JSON.stringify(value.params) : '',
      red: redRows(red),
      about: redactor?.about(url) ?? '',
      given: params,
    }
  }

  /** What this URL is around its id; undefined when another id there might be redacted another way. */
  function aroundOf(part: UrlPart, name: string, id: string): Around | undefined {
    const { url, json, params, red, about } = part
    const from = url.indexOf(id)
    const before = url.slice(0, from)
    const behind = url.slice(from + id.length)
    if (from < 1 || behind.includes(id) || /[?#]/.test(url)) return undefined
    if (!before.endsWith('/') || (behind !== '' && !behind.startsWith('/'))) return undefined
    if (redactor && !redactor.passesOver(before, name)) return undefined
    const at = json.indexOf(id)
    const inParams = params.indexOf(id)
    if (at < 0 || inParams < 0) return undefined
    return {
      before,
      behind,
      name,
      json: [json.slice(0, at), json.slice(at + id.length)],
      params: [params.slice(0, inParams), params.slice(inParams + id.length)],
      red,
      about,
    }
  }

  function withId(url: string, each: Around, id: string): UrlPart {
    const { json, params, red, about } = each
    return {
      url,
      json: json[0] + id + json[1],
      params: params[0] + id + params[1],
      red,
      about,
    }
  }

  return ({ request: { url }, params, operation }) => {
    const name = operation === undefined ? undefined : soleId(params)
    const id = name === undefined ? undefined : params?.[name]
    let known: Around[] | undefined
    if (name !== undefined && id !== undefined) {
      known = around.get(operation)
      if (!known) around.set(operation, (known = []))
      for (const each of known)
        if (each.name === name && fits(each, url, id)) return withId(url, each, id)
    }
    const before = urls.get(url)
    if (before && isSame(before.given, params)) return before
    const part = make(url, params)
    urls.set(url, part, url.length * 4 + lengthOf(params) * 2 + 200)
    if (name !== undefined && id !== undefined && known && known.length < mostAround) {
      const fresh = aroundOf(part, name, id)
      if (fresh) known.push(fresh)
    }
    return part
  }
}
