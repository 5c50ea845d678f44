/**
 * Writes URLs and path parameters as the JSON of a line. Most calls go to a few paths with a new id each time: such a
 * path is redacted once as a template and the id is inserted, but only where the redactor keeps any UUID; every other
 * URL is redacted as a whole and cached.
 */
import type { Exchange } from '../exchange.ts'
import { createGenerationalCache } from '../generational-cache.ts'
import { isUuid } from '../redaction/fast-path.ts'
import type { Redaction, Redactor } from '../redaction/redactor.ts'

export interface UrlJson {
  /** The redacted URL as a JSON string. */
  readonly json: string
  /** The redacted parameters. */
  readonly params: Params
  readonly red: readonly Redaction[]
}

type Params = Exchange['params']

interface CachedUrl extends UrlJson {
  readonly original: Params
}

/** A cached path template around one id. */
interface UrlTemplate {
  /** The original URL before and after the id. */
  readonly before: string
  readonly behind: string
  /** Name of the only parameter, whose value is the id. */
  readonly name: string
  /** The written text before and after the id. */
  readonly json: readonly [before: string, behind: string]
  readonly red: readonly Redaction[]
}

/** Maximum number of templates per operation: one for each address at which it is called. */
const maxTemplates = 8
const uuidLength = 36

function isSameParams(a: Params, b: Params): boolean {
  if (a === b) return true
  if (!a || !b) return false
  for (const name in a) if (a[name] !== b[name]) return false
  for (const name in b) if (!(name in a)) return false
  return true
}

const lengthOf = (params: Params): number =>
  Object.entries(params ?? {}).reduce((sum, [name, value]) => sum + name.length + value.length, 0)

/** The name of the only parameter, when its value is a UUID. */
function soleUuidParam(params: Params): string | undefined {
  let found: string | undefined
  for (const name in params) {
    if (found !== undefined) return undefined
    found = name
  }
  const value = found === undefined ? undefined : params?.[found]
  return value !== undefined && value.length === uuidLength && isUuid(value) ? found : undefined
}

const matchesTemplate = ({ before, behind }: UrlTemplate, url: string, id: string): boolean =>
  url.length === before.length + uuidLength + behind.length &&
  url.startsWith(before) &&
  url.startsWith(id, before.length) &&
  url.endsWith(behind)

export function createUrlWriter(redactor: Redactor | undefined): (exchange: Exchange) => UrlJson {
  const urls = createGenerationalCache<CachedUrl>({ entries: 10_000, bytes: 8_000_000 })
  const templates = new Map<Exchange['operation'], UrlTemplate[]>()

  function make(url: string, params: Params): CachedUrl {
    const { value, red } = redactor
      ? redactor.url(url, params)
      : { value: { url, params }, red: [] }
    return {
      json: JSON.stringify(value.url),
      params: value.params,
      red,
      original: params,
    }
  }

  /** The template of this URL; undefined when another id might be redacted differently. */
  function templateOf(
    url: string,
    { json, params, red }: UrlJson,
    name: string,
    id: string,
  ): UrlTemplate | undefined {
    const from = url.indexOf(id)
    const before = url.slice(0, from)
    const behind = url.slice(from + id.length)
    if (from < 1 || behind.includes(id) || /[?#]/.test(url)) return undefined
    if (!before.endsWith('/') || (behind !== '' && !behind.startsWith('/'))) return undefined
    if (redactor && !redactor.keepsUuidAfter(before, name)) return undefined
    const at = json.indexOf(id)
    if (at < 0 || params?.[name] !== id) return undefined
    return {
      before,
      behind,
      name,
      json: [json.slice(0, at), json.slice(at + id.length)],
      red,
    }
  }

  const withId = ({ json, name, red }: UrlTemplate, id: string): UrlJson => ({
    json: json[0] + id + json[1],
    params: { [name]: id },
    red,
  })

  return ({ request: { url }, params, operation }) => {
    const name = operation === undefined ? undefined : soleUuidParam(params)
    const id = name === undefined ? undefined : params?.[name]
    let operationTemplates: UrlTemplate[] | undefined
    if (name !== undefined && id !== undefined) {
      operationTemplates = templates.get(operation)
      if (!operationTemplates) templates.set(operation, (operationTemplates = []))
      for (const each of operationTemplates)
        if (each.name === name && matchesTemplate(each, url, id)) return withId(each, id)
    }
    const before = urls.get(url)
    if (before && isSameParams(before.original, params)) return before
    const part = make(url, params)
    urls.set(url, part, url.length * 4 + lengthOf(params) * 2 + 200)
    if (
      name !== undefined &&
      id !== undefined &&
      operationTemplates &&
      operationTemplates.length < maxTemplates
    ) {
      const fresh = templateOf(url, part, name, id)
      if (fresh) operationTemplates.push(fresh)
    }
    return part
  }
}
