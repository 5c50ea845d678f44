/**
 * The platforms that a consumer can turn to. Number 0 is the usual one, whose manifest the session knows as that of any
 * counterpart; the others stand in the configuration, and are known by their own manifests, each read by this
 * consumer: no business call goes to one before that (DIS-GEN-02, LOG-CON-02).
 */
import { readManifest, type ReadManifest } from '../../protocol/discovery/read.ts'
import { commonVersion } from '../../protocol/version.ts'
import { mayCall } from '../announcements/receiver.ts'
import { type Call, type CallOutcome, outcomeText, succeeded } from '../calls/call.ts'
import type { AnswerReader } from '../calls/place-call.ts'
import type { Context } from '../decision.ts'
import type { Role } from '../../protocol/role.ts'
import { partnerOf, type World } from '../world.ts'

export interface Platform {
  readonly manifest?: ReadManifest
  /** Why it will not do. */
  readonly because?: string
  /** How often it was asked for its manifest. */
  readonly attempt: number
}

export const platformKey = (role: Role, platform: number): string => `${role}#${platform}`

/** What a consumer knows of a platform beside the usual one. */
export const platformOf = (
  role: Role,
  platform: number,
  { logistics }: World,
): Platform | undefined => logistics.platforms.get(platformKey(role, platform))

/** Times that a further platform is asked for its manifest, before a shipment goes on without it. */
export const mostManifestTries = 6

/** Whether business calls may go to a platform. */
export function mayAsk(role: Role, platform: number, { world, settings }: Context): boolean {
  if (platform === 0) return mayCall(role, 'delivery-platform', 'logistics', world)
  if (settings.conduct.manifest === 'trust') return true
  return platformOf(role, platform, world)?.manifest?.capabilities['logistics'] !== undefined
}

/** Whether it is known what to think of a platform: waiting would change nothing. */
export function isJudged(role: Role, platform: number, { world }: Context): boolean {
  if (platform === 0) return partnerOf(world, role, 'delivery-platform')?.state === 'accepted'
  const known = platformOf(role, platform, world)
  return known !== undefined && (known.manifest !== undefined || known.attempt >= mostManifestTries)
}

/** How a platform says that its deliveries are followed; as this session has it, where it says nothing. */
export function trackingModeOf(
  role: Role,
  platform: number,
  { world, settings }: Context,
): 'push' | 'pull' {
  const manifest =
    platform === 0
      ? partnerOf(world, role, 'delivery-platform')?.manifest
      : platformOf(role, platform, world)?.manifest
  return manifest?.capabilities['logistics']?.trackingMode ?? settings.trackingMode
}

function whyNot(outcome: CallOutcome, ours: readonly string[]): string | ReadManifest {
  if (outcome.kind === 'failed') return outcome.message
  if (!succeeded(outcome)) return `answered ${outcomeText(outcome)}`
  const read = readManifest(outcome.body)
  if (!read.ok) return read.error
  return commonVersion(ours, read.value.versions) !== undefined
    ? read.value
    : `no common version: it speaks ${read.value.versions.join(', ')}`
}

/** What a further platform's manifest means to the consumer that asked for it. */
export const readPlatformAnswer: AnswerReader = (call: Call, outcome, { settings }) => {
  const { from: role, platform = 0, attempt } = call
  const read = whyNot(outcome, settings.protocol.supportedVersions)
  return typeof read === 'string'
    ? [{ kind: 'shipment.platform-rejected', role, platform, because: read, attempt }]
    : [{ kind: 'shipment.platform-accepted', role, platform, manifest: read, attempt }]
}
