/**
 * Validation of redirect_uri: it must be identical to one that the client has registered. A client that has registered
 * none may use loopback hosts only, so that no authorization code is sent to an unverified address.
 */
import { err, ok, type Result } from '../result.ts'

const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

function isUsable(uri: string): boolean {
  if (!URL.canParse(uri) || uri.includes('#')) return false
  return /^https?:$/.test(new URL(uri).protocol)
}

/** The redirect URI to use, or why it is refused. A client that has registered exactly one may leave it out. */
export function resolveRedirectUri(
  requested: string | undefined,
  registered: readonly string[],
): Result<string, string> {
  const [only, ...others] = registered
  if (requested === undefined)
    return only !== undefined && others.length === 0 ? ok(only) : err('redirect_uri is missing')
  if (!isUsable(requested)) return err('redirect_uri is no http or https URL without a fragment')
  if (registered.length > 0)
    return registered.includes(requested)
      ? ok(requested)
      : err('redirect_uri is none that is registered')
  return loopbackHosts.has(new URL(requested).hostname)
    ? ok(requested)
    : err('redirect_uri leads elsewhere than to this machine, and is not registered')
}

/** The URI with these parameters added to its query; existing ones stay. */
export function withQueryParameters(uri: string, params: Readonly<Record<string, string>>): string {
  const url = new URL(uri)
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return url.href
}
