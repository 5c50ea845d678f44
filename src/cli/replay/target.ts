/** Validates the target of a replay: this machine, or a host of `--allow-target`. */
import { isLoopback } from '../../edge/server/loopback.ts'
import { problem } from '../../problem.ts'

/** The URL without trailing slashes. Throws a problem on an invalid URL or a host that is not allowed. */
export function allowedTarget(
  text: string,
  allowed: readonly string[] = [],
  flag = '--to',
): string {
  const url = /^https?:\/\//.test(text) && URL.canParse(text) ? new URL(text) : undefined
  if (!url)
    throw problem(
      `reading ${flag}`,
      `"${text}" is no http or https URL`,
      'Write http://127.0.0.1:3000.',
    )
  if (
    isLoopback(url.hostname) ||
    allowed.some((host) => host === url.hostname || host === url.host)
  )
    return text.replace(/\/+$/, '')
  throw problem(
    `replaying to ${text}`,
    `${url.hostname} is not this machine, and a replay confirms, cancels and pays whatever it says`,
    `If that is meant, say --allow-target ${url.hostname}.`,
  )
}
