/** Applies facts about calls and partners. */
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
      const { because: _because, ...known } = world.partners.get(key) ?? {}
      world.partners.set(key, { ...known, state: 'accepted', manifest: fact.manifest })
      if (fact.kind === 'partner.restored')
        for (const call of fact.postponed) world.postponed.delete(call)
      return
    }
    case 'partner.unchanged':
      return
    case 'partner.rejected': {
      const key = partnerKey(fact.from, fact.partner)
      const known = world.partners.get(key)
      world.partners.set(key, { ...known, state: 'rejected', because: fact.because })
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
