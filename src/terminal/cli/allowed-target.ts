/** URLs of services in flags: what is none is refused, and so is another machine that `--allow-target` does not name. */
import { problem } from '../../core/base/problem.ts'
import { isLoopback } from '../../core/runtime/server/loopback.ts'

export const isAllowedTarget = (
  { hostname, host }: Pick<URL, 'hostname' | 'host'>,
  allowed: readonly string[] = [],
): boolean => isLoopback(hostname) || allowed.some((each) => each === hostname || each === host)

const isHttpUrl = (text: string): boolean => /^https?:\/\/[^/]/i.test(text) && URL.canParse(text)

/** Begins with a host and its port, or with two slashes: what a URL is without its scheme. */
const withoutScheme = /^\s*(?:\/\/|(?:[a-z\d-]+(?:\.[a-z\d-]+)*|\[[\da-f:]+\]):\d+(?:[/?#]|$))/i

/** Whether a text that may be a command is meant as an address. */
export const isAddress = (text: string): boolean =>
  /^\s*[a-z][a-z\d+.-]*:\//i.test(text) || withoutScheme.test(text)

/** The URL in a flag; a problem for what is none, with the text as a URL where only the scheme is missing. */
export function httpUrl(text: string, flag: string, example = 'http://127.0.0.1:3000'): URL {
  if (isHttpUrl(text)) return new URL(text)
  const whole = `http://${text.trim().replace(/^\/+/, '')}`
  const meant = withoutScheme.test(text) && isHttpUrl(whole) ? whole : example
  throw problem(`reading ${flag}`, `"${text}" is no http or https URL`, `Write ${meant}.`)
}

/** Throws a problem for another machine that is not allowed. */
export function checkAllowedTarget(
  url: URL,
  allowed: readonly string[] | undefined,
  { attempted, does }: { readonly attempted: string; readonly does: string },
): void {
  if (isAllowedTarget(url, allowed)) return
  throw problem(
    attempted,
    `${url.hostname} is not this machine, and ${does}`,
    `If that is meant, say --allow-target ${url.hostname}.`,
  )
}
