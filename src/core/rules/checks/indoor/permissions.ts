/** Checks of what an Indoor host allows in each status of an account: IND-PRM. */
import { type Check, defineChecks } from '../check.ts'
import { livesShow } from './account-life.ts'
import { atSteps, each, every, hasStatusClass } from '../assertion.ts'
import {
  readsStatus,
  staysSame,
  inLife,
  inTransfer,
  lockedOrderAddsNothing,
  closeInUseIsRefused,
  closesTried,
  refusedTransfers,
  whenTried,
} from './account-assertions.ts'

const life = {
  roles: ['software-service'],
  needs: ['indoor'],
  procedures: ['account-life'],
} as const

interface Permission {
  readonly clause: string
  readonly allowed: readonly string[]
  readonly refused: readonly string[]
  readonly remedy: string
}

const permissions: readonly Permission[] = [
  {
    clause: 'IND-PRM-02',
    allowed: [inLife('cancel-item')],
    refused: [inLife('cancel-item-locked'), inLife('cancel-item-closed')],
    remedy: 'Cancel an item of an account in IN_USE only, and refuse it otherwise with an error.',
  },
  {
    clause: 'IND-PRM-03',
    allowed: [inTransfer('transfer')],
    refused: refusedTransfers.map(inTransfer),
    remedy:
      'Move items while both accounts are IN_USE only, and refuse it otherwise with an error.',
  },
  {
    clause: 'IND-PRM-04',
    allowed: [inLife('pay-in-use'), inLife('pay-locked')],
    refused: [inLife('pay-closed')],
    remedy:
      'Take payments in IN_USE and in IN_PAYMENT, and refuse them once the account is CLOSED.',
  },
  {
    clause: 'IND-PRM-05',
    allowed: [inLife('pre-close')],
    refused: [inLife('pre-close-closed')],
    remedy: 'Accept pre-close in IN_USE, and refuse it once the account is CLOSED.',
  },
  {
    clause: 'IND-PRM-06',
    allowed: [inLife('unlock')],
    refused: [inLife('unlock-closed')],
    remedy: 'Accept unlock in IN_PAYMENT, and refuse it once the account is CLOSED.',
  },
]

const permissionCheck = ({ clause, allowed, refused, remedy }: Permission): Check => ({
  clauses: [clause],
  ...life,
  procedures: ['account-life', 'account-transfer'].filter((name) =>
    allowed[0]?.startsWith(`${name}/`),
  ),
  assertion: every(
    each(atSteps(...allowed), hasStatusClass(2)),
    each(atSteps(...refused), hasStatusClass(4)),
    livesShow(clause),
  ),
  remedy,
})

export const permissionChecks = defineChecks(
  life,
  {
    'IND-PRM-01': {
      procedures: ['account-life', 'account-reopening'],
      assertion: every(
        lockedOrderAddsNothing,
        staysSame('account-reopening/read-closed', 'account-reopening/read-first', 'its closing'),
        livesShow('IND-PRM-01'),
      ),
      remedy: 'Add no item of a new order to an account that is IN_PAYMENT or CLOSED.',
    },
  },
  permissions.map(permissionCheck),
  {
    'IND-PRM-07': {
      procedures: ['account-opening', 'account-life'],
      assertion: whenTried(
        closesTried,
        every(
          closeInUseIsRefused,
          readsStatus(inLife('read-in-use'), 'IN_USE'),
          each(atSteps(inLife('close')), hasStatusClass(2)),
          livesShow('IND-PRM-07'),
        ),
      ),
      whyUnobserved: 'no account was closed, or none while it was IN_USE and paid',
      remedy: 'Refuse to close an account that is IN_USE: pre-close comes first.',
    },
  },
)
