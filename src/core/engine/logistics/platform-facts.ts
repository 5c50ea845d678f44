/** Facts of the platforms that a consumer knows beside its default one. */
import type { ParsedManifest } from '../../protocol/discovery/parse-manifest.ts'
import { type Role, shortRoleName } from '../../protocol/role.ts'
import { factRow } from '../fact-row.ts'
import type { World } from '../world.ts'
import { type FurtherPlatform, platformKey, platformName } from './platform.ts'

export interface OfPlatform {
  role: Role
  platform: number
  attempt: number
}

/** Bounded by the configuration: at most ten platforms for each consumer. */
function setPlatform(
  { logistics }: World,
  { role, platform }: OfPlatform,
  known: FurtherPlatform,
): void {
  logistics.platforms.set(platformKey(role, platform), known)
}

export const platformFacts = {
  /** A further platform's manifest is valid: business calls may follow. */
  'shipment.platform-accepted': factRow<OfPlatform & { manifest: ParsedManifest }>({
    text: ({ role, platform, manifest }) =>
      `${shortRoleName[role]} accepts ${platformName(platform)}: ${manifest.participantId}`,
    apply(world, fact) {
      const { attempt, manifest } = fact
      setPlatform(world, fact, { attempt, manifest })
    },
  }),
  /** A further platform's manifest is missing or invalid. */
  'shipment.platform-rejected': factRow<OfPlatform & { because: string }>({
    text: ({ role, platform, because }) =>
      `${shortRoleName[role]} cannot work with ${platformName(platform)}: ${because}`,
    apply(world, fact) {
      const { attempt, because } = fact
      setPlatform(world, fact, { attempt, because })
    },
  }),
}
