/** What the user has to know about the manifest of their service, as sentences: each says what was asked, what was wrong, and what to do. */
import type { ManifestProblem } from '../engine/calls/partner-fact.ts'
import type { Settings } from '../engine/settings.ts'
import { type PartnerRecord, partnerOf, type World } from '../engine/world.ts'
import type { Role } from '../protocol/role.ts'

const setting = (value: string): string => `conduct: { manifest: ${value} } in the configuration`

/** By the problem of a manifest; what cannot be reached is told elsewhere. */
const texts: Readonly<
  Record<ManifestProblem, (at: string, because: string, isUsed: boolean) => string | undefined>
> = {
  missing: (url, because, isUsed) =>
    isUsed
      ? `No manifest at ${url}: ${because} (DIS-GEN-01). Going on without one, as if your service had every path of its role. Serve one there, or silence this with ${setting('trust')}.`
      : `No manifest at ${url}: ${because} (DIS-GEN-02). Your service is sent nothing until it serves one there; ${setting('when-present')} goes on without.`,
  invalid: (url, because) =>
    `The manifest at ${url} is refused: ${because} (DIS-GEN-02). Your service is sent nothing until that is corrected; it is read again by itself.`,
  unreadable: (url, because) =>
    `The manifest at ${url} cannot be read: ${because} (DIS-WKN-01). Your service is sent nothing until it can be; it is read again by itself. ${setting('trust')} goes on without.`,
  unreachable: () => undefined,
}

const problemText = ({ state, problem, because = '' }: PartnerRecord, url: string) =>
  problem && texts[problem](url, because, state === 'accepted')

/** The sentences about the manifest of the user's service, without repetition. */
export function manifestNotices(
  { world, settings }: { readonly world: World; readonly settings: Settings },
  subject: Role,
  url: string,
): readonly string[] {
  const records = settings.roles.flatMap((role) => partnerOf(world, role, subject) ?? [])
  const sentences = records.flatMap((record) => [
    problemText(record, url) ?? [],
    (record.manifest?.notices ?? []).map((notice) => `The manifest at ${url}: ${notice}.`),
  ])
  return [...new Set(sentences.flat())]
}
