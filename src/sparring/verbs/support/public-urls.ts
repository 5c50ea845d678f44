/** What `sparring up` says of the URLs under which others call its roles. */
import type { Session } from '../../../core/session-api/session.ts'

/** The URLs that the configuration names; undefined when others get the listening addresses. */
export function configuredPublicUrls({
  urls,
  publicUrls,
}: Pick<Session, 'urls' | 'publicUrls'>): Readonly<Record<string, string>> | undefined {
  const isConfigured = [...publicUrls].some(([role, url]) => urls.get(role) !== url)
  return isConfigured ? Object.fromEntries(publicUrls) : undefined
}

/** Of a session that listens on every address: from another machine the loopback address leads nowhere. */
export const publicUrlHint = (urls: Session['urls']): string =>
  `manifests and events name ${[...urls.values()][0]}: for a service on another machine or in another container, ` +
  'say what this one is called there with --public-url http://<name>'
