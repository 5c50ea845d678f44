/** Programs and rewards of a Loyalty host: initial ones and stored ones. */
import { ok } from '../../protocol/result.ts'
import type { DecisionContext, Decision } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { refuse } from '../refusal.ts'
import type { Settings } from '../settings.ts'
import type { LoyaltyCommand } from './command.ts'

type ProgramCommand = Extract<
  LoyaltyCommand,
  { kind: 'loyalty.store-programs' | 'loyalty.store-reward' }
>

/** The initial facts of a session: programs and rewards exist before the first request. */
export const initialLoyaltyFacts = ({ roles, switchedOff, loyalty }: Settings): readonly Fact[] =>
  roles.includes('crm') && !switchedOff.has('loyalty')
    ? [{ kind: 'loyalty.opened', ...loyalty }]
    : []

export function decideProgram(command: ProgramCommand, { world }: DecisionContext): Decision {
  if (command.kind === 'loyalty.store-programs')
    return ok(command.programs.map((program) => ({ kind: 'loyalty.program-stored', program })))
  const { reward } = command
  return world.loyalty.host.programs.has(reward.programId)
    ? ok([{ kind: 'loyalty.reward-stored', reward }])
    : refuse('NOT_FOUND', `there is no program ${reward.programId}`)
}
