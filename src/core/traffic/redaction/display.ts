/**
 * Redacts what is shown of live traffic: rows of the traffic, lines of logs, evidence of rules, spans, errors. The same
 * classes as in a recording, but the key is this process's own, since nothing that is shown is compared with a file.
 * `GET /v1/orders?token=4f9a…` is shown as `GET /v1/orders?token=~tok_…`.
 */
import { memoise } from '../memoise.ts'
import type { KeyedHash } from './pseudonyms.ts'
import { createRedactor } from './redactor.ts'
import { urlsWithin } from './text.ts'

/** URLs that are remembered: those of a session's service and of its orders are shown again and again. */
const maxUrls = 1000

function redactWith(hash: KeyedHash) {
  const redactor = createRedactor(hash)
  return { redactor, url: memoise(maxUrls, (url: string) => redactor.url(url).value.url) }
}

/** Until a key is set all replacements are alike, which tells nothing of the values. */
let display = redactWith(() => '0'.repeat(16))

/** Sets the key once for the process: from then on different values are shown differently. */
export function setDisplayKey(hash: KeyedHash): void {
  display = redactWith(hash)
}

export const displayUrl = (url: string): string => display.url(url)

/** A sentence of another system, such as the reason of an error: numbers of people and secrets in it are redacted. */
export const displayMessage = (text: string): string =>
  display.redactor.message(text, 'message').value

/** Path and query of a URL. */
export const displayPath = (url: string): string =>
  displayUrl(url).replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '') || '/'

/** A path with a query, or with a secret in front of it; the path of a file has neither. */
const pathsWithin =
  /(?<![\w/:.~%-])\/(?:[\w.~%@+/-]*[?;][\w.~%[\]-]+=|bot\d+:)[^\s"'<>{}|\\^`]*[^\s"'<>{}|\\^`.,;:!?)]/g

/** A sentence of ours: the URLs and paths that it quotes are redacted, and those of the exchange that it is about. */
export function displayText(text: string, url?: string): string {
  if (!text.includes('/')) return text
  const known = url === undefined ? text : withRedactedPath(text, url, displayUrl(url))
  return known.replaceAll(urlsWithin, displayUrl).replaceAll(pathsWithin, displayUrl)
}

/** The path of a URL in a sentence about it, replaced as the URL is. */
export function withRedactedPath(text: string, url: string, redacted: string): string {
  const [path, next] = [pathname(url), pathname(redacted)]
  return path === next ? text : text.replaceAll(path, next)
}

const pathname = (url: string): string => /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? ''
