/**
 * The public URLs: in manifests, events and first-contact texts. They are those of the configuration, and the
 * listening addresses where it names none.
 */
import { fillPublicUrl, hasPlaceholder } from '../session-api/configuration/public-url.ts'
import type { Configuration } from '../session-api/configuration/schema.ts'
import { problem } from '../base/problem.ts'
import type { Role } from '../protocol/role.ts'

type Settings = Pick<Configuration, 'publicUrl' | 'counterparts' | 'tls'>

/** URL parsers drop a port that is the default of the scheme, and yet it was written. */
const hasPort = (pattern: string): boolean => /^https?:\/\/[^/]*:\d+(\/|$)/i.test(pattern)

/**
 * A URL without a port, with the scheme in which the session itself listens, is this machine by another name: each role is
 * behind its own port there. Any other URL leads to one role, through a tunnel or a reverse proxy.
 */
function withPort(pattern: string, { tls }: Settings): string {
  const ownScheme = tls === false ? 'http:' : 'https:'
  if (hasPlaceholder(pattern) || hasPort(pattern) || !pattern.toLowerCase().startsWith(ownScheme))
    return pattern
  return pattern.replace(/^(https?:\/\/[^/]*)/i, '$1:{port}')
}

/** The pattern for a role; undefined when none is configured. */
function patternOf(role: Role, settings: Settings): string | undefined {
  const pattern = settings.counterparts[role].publicUrl ?? settings.publicUrl
  return pattern === undefined ? undefined : withPort(pattern, settings)
}

/** Refuses one URL for several roles. */
export function checkPublicUrls(settings: Settings, roles: readonly Role[]): void {
  const { publicUrl, counterparts } = settings
  if (publicUrl === undefined || hasPlaceholder(withPort(publicUrl, settings))) return
  const sharing = roles.filter((role) => counterparts[role].publicUrl === undefined)
  const [first, second] = sharing
  if (first === undefined || second === undefined) return
  throw problem(
    `telling others ${publicUrl} as our address`,
    `it cannot lead to ${sharing.length} roles: ${sharing.join(', ')}`,
    `Say to which one with --public-url ${first}=${publicUrl}, or write {port} or {role} where theirs differ.`,
  )
}

/** The host names of the URLs, under which requests may come; throws a `Problem` as `checkPublicUrls` does. */
export function publicHostNames(settings: Settings, roles: readonly Role[]): readonly string[] {
  checkPublicUrls(settings, roles)
  return roles.flatMap((role) => {
    const pattern = patternOf(role, settings)
    return pattern === undefined
      ? []
      : [new URL(fillPublicUrl(pattern, { role, port: '1' })).hostname]
  })
}

/** The public URL of each role, from those on which they listen. */
export const publicUrlsOf = (
  settings: Settings,
  urls: ReadonlyMap<Role, string>,
): ReadonlyMap<Role, string> =>
  new Map(
    [...urls].map(([role, url]) => {
      const pattern = patternOf(role, settings)
      const { port } = new URL(url)
      return [role, pattern === undefined ? url : fillPublicUrl(pattern, { role, port })]
    }),
  )
