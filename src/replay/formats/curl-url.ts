/** The URLs that a curl command requests: lists and ranges expanded, with scheme, parameters and the name of an upload. */
import { percentEncode } from '../../core/traffic/redaction/percent-encoding.ts'
import type { CurlCall } from './curl-options.ts'

/** Together with all other commands of a paste they are held in memory. */
const maxUrls = 1000

const range = /^\[(?:(\d+)-(\d+)|([a-z])-([a-z])|([A-Z])-([A-Z]))(?::([1-9]\d*))?\]/
const list = /^\{((?:[^{}[\]\\]|\\.)+)\}/
/** The address of a host, which curl does not take for a range. */
const ipv6 = /^\[[\da-f.]*:[\da-f.]*:[\da-f:.]*(?:%[\w.~-]+)?\]/i
const literal = /^(?:\\[{}[\]]|[^{}[\]])+/

const unescaped = (text: string): string => text.replaceAll(/\\([{}[\],])/g, '$1')

function numbersOf(from: string, to: string, step: number): readonly string[] {
  const width = /^0\d/.test(from) ? from.length : 0
  const count = Math.floor((Number(to) - Number(from)) / step) + 1
  return Array.from({ length: Math.max(0, Math.min(count, maxUrls + 1)) }, (_, index) =>
    String(Number(from) + index * step).padStart(width, '0'),
  )
}

function lettersOf(from: string, to: string, step: number): readonly string[] {
  const codes = numbersOf(String(from.charCodeAt(0)), String(to.charCodeAt(0)), step)
  return codes.map((code) => String.fromCharCode(Number(code)))
}

/** The texts that the beginning of a URL stands for; undefined where curl refuses it. */
function choicesAt(rest: string): { length: number; choices: readonly string[] } | undefined {
  const [plain] = ipv6.exec(rest) ?? literal.exec(rest) ?? []
  if (plain !== undefined) return { length: plain.length, choices: [unescaped(plain)] }
  const [braces, members = ''] = list.exec(rest) ?? []
  if (braces !== undefined)
    return { length: braces.length, choices: members.split(/(?<!\\),/).map(unescaped) }
  const [whole = '', ...bounds] = range.exec(rest) ?? []
  const [from = '', to = '', first = '', last = '', upper = '', top = '', step = '1'] = bounds
  const choices =
    from === ''
      ? lettersOf(first || upper, last || top, Number(step))
      : numbersOf(from, to, Number(step))
  return whole === '' || choices.length === 0 ? undefined : { length: whole.length, choices }
}

/**
 * The URLs that curl requests, with the lists and ranges expanded as curl does, the last one fastest:
 * `/{a,b}/[1-2]` is `/a/1`, `/a/2`, `/b/1`, `/b/2`. Undefined where it refuses a list or range, or
 * they are too many.
 */
export function expandGlobs(url: string): readonly string[] | undefined {
  let urls: readonly string[] = ['']
  for (let at = 0; at < url.length;) {
    const next = choicesAt(url.slice(at))
    if (!next || next.choices.length * urls.length > maxUrls) return undefined
    urls = urls.flatMap((before) => next.choices.map((choice) => before + choice))
    at += next.length
  }
  return urls
}

/** The URL with more parameters, before its fragment. */
export function addQuery(url: string, parameters: string): string {
  if (parameters === '') return url
  const [bare = '', ...fragment] = url.split('#')
  const mark = bare.includes('?') ? (/[?&]$/.test(bare) ? '' : '&') : '?'
  return [bare + mark + parameters, ...fragment].join('#')
}

export const withScheme = (url: string): string =>
  /^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `http://${url}`

/** A file is put under its name in a folder. */
function uploadUrl(url: string, upload: string | undefined): string {
  if (upload === undefined || upload === '-') return url
  const [, origin = '', path = '', rest = ''] = /^(\w+:\/\/[^/?#]*)([^?#]*)(.*)$/.exec(url) ?? []
  if (!/^$|\/$/.test(path)) return url
  return `${origin}${path || '/'}${percentEncode(upload.replace(/^.*[/\\]/, ''))}${rest}`
}

const withoutDots = (url: string): string =>
  /\/\.{1,2}(?:[/?#]|$)/.test(url) && URL.canParse(url) ? new URL(url).href : url

/** One expanded URL as it is sent. */
export function urlOf(call: CurlCall, written: string): string {
  const url = uploadUrl(withScheme(written), call.upload)
  const bare = call.pathAsIs ? url : withoutDots(url)
  return addQuery(bare, [...call.query, ...(call.get ? call.data : [])].join('&'))
}
