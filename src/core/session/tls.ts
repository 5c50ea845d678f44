/** HTTPS or a private certificate authority for a session. Loaded lazily, since most sessions stay on this machine. */
import type { Configuration } from '../session-api/configuration/schema.ts'
import type { SessionTls } from '../runtime/tls/session-tls.ts'

export async function startTls({
  tls,
  host,
  subject,
}: Pick<Configuration, 'tls' | 'host' | 'subject'>): Promise<SessionTls | undefined> {
  if (tls === false && subject.ca === undefined) return undefined
  const { createSessionTls: sessionTls } = await import('../runtime/tls/session-tls.ts')
  return sessionTls({ tls, host, ca: subject.ca })
}
