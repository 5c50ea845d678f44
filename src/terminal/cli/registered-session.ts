/**
 * Registers the session of this process, for `sparring status`, `sparring stop` and the verbs that look for a session.
 */
import { displayUrl } from '../../core/traffic/redaction/display.ts'
import { resolve } from 'node:path'
import { compact } from '../../core/base/compact.ts'
import type { SessionDetails } from '../../core/runtime/registry/session-entry.ts'
import { registerSession } from '../../core/runtime/registry/session-registry.ts'
import type { Role } from '../../core/protocol/role.ts'
import { type Io, printLine } from './io.ts'

interface RunningSession extends Pick<SessionDetails, 'verb'> {
  readonly urls: ReadonlyMap<Role, string>
  /** The user's service. */
  readonly subject: { readonly role?: Role | undefined; readonly url?: string | undefined }
  readonly control?: { readonly url: string; readonly token?: string }
  readonly seed?: number
  /** The recording, as it was named. */
  readonly recording?: string | undefined
}

/** Disposing of the result ends the registration. A session that cannot be registered runs all the same. */
export async function startRegistration(
  { verb, urls, subject, control, seed, recording }: RunningSession,
  io: Io,
): Promise<Disposable> {
  const details: SessionDetails = {
    verb,
    counterparts: Object.fromEntries(urls),
    ...compact({
      role: subject.role,
      subject: subject.url === undefined ? undefined : displayUrl(subject.url),
      control: control?.url,
      token: control?.token,
      seed,
      recording:
        recording === undefined || recording === '-' ? recording : resolve(io.cwd, recording),
    }),
  }
  const written = await registerSession(details, io.cwd)
  if (!written.ok)
    await printLine(
      io.stderr,
      `sparring: sparring status will not list this session: ${written.error}`,
    )
  return {
    [Symbol.dispose]: () => {
      if (written.ok) written.value.remove()
    },
  }
}
