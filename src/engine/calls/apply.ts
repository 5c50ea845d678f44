/** Applies facts about calls and partners. */
import { compact } from '../../compact.ts'
import { assertNever } from '../../protocol/result.ts'
import { addBounded } from '../bounded.ts'
import type { CallFact } from '../fact.ts'
import { partnerKey, type World, worldBounds } from '../world.ts'
import type { PartnerFact } from './partner-fact.ts'

export function applyCall(world: World, fact: CallFact | PartnerFact): void {
  switch (fact.kind) {
    case 'call.placed':
      world.calls.set(fact.call.id, fact.call)
      world.nextCallId = fact.call.id + 1
      return
    case 'call.concluded':
      world.calls.delete(fact.call.id)
      return
    case 'call.postponed':
      addBounded(world.postponed, fact.call, worldBounds.postponed)
      return
    case 'partner.accepted':
    case 'partner.changed':
    case 'partner.restored': {
      const key = partnerKey(fact.from, fact.partner)
      const merchants = world.partners.get(key)?.merchants
      const { manifest, missing: because } = fact
      const without = because === undefined ? {} : ({ because, problem: 'missing' } as const)
      world.partners.set(key, {
        state: 'accepted',
        manifest,
        ...without,
        ...compact({ merchants }),
      })
      if (fact.kind === 'partner.restored')
        for (const call of fact.postponed) world.postponed.delete(call)
      return
    }
    case 'partner.unchanged':
      return
    case 'partner.rejected': {
      const key = partnerKey(fact.from, fact.partner)
      const { manifest, merchants } = world.partners.get(key) ?? {}
      const { because, problem } = fact
      world.partners.set(key, {
        state: 'rejected',
        because,
        problem,
        ...compact({ manifest, merchants }),
      })
      return
    }
    case 'partner.merchants': {
      const key = partnerKey(fact.from, fact.partner)
      const partner = world.partners.get(key)
      if (partner) world.partners.set(key, { ...partner, merchants: fact.merchants })
      return
    }
    default:
      return assertNever(fact)
  }
}
