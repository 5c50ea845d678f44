/** What the user has to know about the manifest of their service: what was asked, what was wrong, and what to do. */
import { type ManifestProblem, type PartnerRecord, partnerOf, type World } from '../engine/world.ts'
import type { Settings } from '../engine/settings.ts'
import type { Role } from '../protocol/role.ts'

export interface ManifestNotice {
  /** Nothing is sent to the service because of it. */
  readonly stops: boolean
  /** One sentence. */
  readonly wrong: string
  /** What follows, and what to do: one sentence or two; empty where nothing has to be done. */
  readonly remedy: string
}

const setting = (value: string): string => `conduct: { manifest: ${value} } in the configuration`

/** By the problem of a manifest; an unreachable manifest is reported elsewhere. */
const texts: Readonly<
  Record<
    ManifestProblem,
    (at: string, because: string, isUsed: boolean) => Omit<ManifestNotice, 'stops'> | undefined
  >
> = {
  missing: (url, because, isUsed) =>
    isUsed
      ? {
          wrong: `No manifest at ${url}: ${because} (DIS-GEN-01).`,
          remedy: `Going on without one, as if your service had every path of its role. Serve one there, or silence this with ${setting('trust')}.`,
        }
      : {
          wrong: `No manifest at ${url}: ${because} (DIS-GEN-02).`,
          remedy: `Your service is sent nothing until it serves one there; ${setting('when-present')} goes on without.`,
        },
  invalid: (url, because) => ({
    wrong: `The manifest at ${url} is refused: ${because} (DIS-GEN-02).`,
    remedy: 'Your service is sent nothing until that is corrected; it is read again by itself.',
  }),
  unreadable: (url, because) => ({
    wrong: `The manifest at ${url} cannot be read: ${because} (DIS-WKN-01).`,
    remedy: `Your service is sent nothing until it can be; it is read again by itself. ${setting('trust')} goes on without.`,
  }),
  unreachable: () => undefined,
}

function problemNotice(
  { state, problem, because = '' }: PartnerRecord,
  urlOf: () => string,
): readonly ManifestNotice[] {
  const isUsed = state === 'accepted'
  const notice = problem && texts[problem](urlOf(), because, isUsed)
  return notice ? [{ stops: !isUsed, ...notice }] : []
}

/** The notices about the manifest of the user's service, without repetition. Its URL is composed only for a notice. */
export function manifestNotices(
  { world, settings }: { readonly world: World; readonly settings: Settings },
  subject: Role,
  urlOf: () => string,
): readonly ManifestNotice[] {
  const records = settings.roles.flatMap((role) => partnerOf(world, role, subject) ?? [])
  const all = records.flatMap((record) => [
    ...problemNotice(record, urlOf),
    ...(record.manifest?.notices ?? []).map((notice) => ({
      stops: false,
      wrong: `The manifest at ${urlOf()}: ${notice}.`,
      remedy: '',
    })),
  ])
  return [...new Map(all.map((notice) => [notice.wrong, notice])).values()]
}

/** The notice as one line. */
export const manifestNoticeText = ({ wrong, remedy }: ManifestNotice): string =>
  `${wrong} ${remedy}`.trimEnd()
