/** The fault catalogue: all faults, one line each. */
import type { FaultDefinition } from './fault.ts'
import { ackLag } from './ack-lag.ts'
import { batch } from './batch.ts'
import { bothChannels } from './both-channels.ts'
import { contradictoryTime } from './contradictory-time.ts'
import { delay } from './delay.ts'
import { drop } from './drop.ts'
import { duplicate } from './duplicate.ts'
import { duplicateLate } from './duplicate-late.ts'
import { flood } from './flood.ts'
import { illegalTransition } from './illegal-transition.ts'
import { noEffect } from './no-effect.ts'
import { reorder } from './reorder.ts'
import { redeliver } from './redeliver.ts'
import { dropThenDeliver } from './drop-then-deliver.ts'
import { slowEffect } from './slow-effect.ts'
import { createStorm } from './storm.ts'
import { unknownEvent } from './unknown-event.ts'
import { unknownField } from './unknown-field.ts'
import { fail } from './fail.ts'
import { rateLimit } from './rate-limit.ts'
import { hang } from './hang.ts'
import { reset } from './reset.ts'
import { truncate } from './truncate.ts'
import { slowBody } from './slow-body.ts'
import { slowResponse } from './slow-response.ts'
import { unauthorized } from './unauthorized.ts'
import { tokenOutage } from './token-outage.ts'
import { refuse } from './refuse.ts'
import { unusualResponse } from './unusual-response.ts'
import { wrongSignature } from './wrong-signature.ts'
import { dropResponse } from './drop-response.ts'

const members: readonly FaultDefinition[] = [
  reorder,
  delay,
  duplicate,
  duplicateLate,
  drop,
  dropThenDeliver,
  bothChannels,
  redeliver,
  batch,
  ackLag,
  unknownEvent,
  unknownField,
  contradictoryTime,
  slowEffect,
  noEffect,
  fail,
  rateLimit,
  hang,
  reset,
  truncate,
  slowBody,
  slowResponse,
  unauthorized,
  tokenOutage,
  refuse,
  unusualResponse,
  wrongSignature,
  dropResponse,
  illegalTransition,
  flood,
]

/** `storm` draws from all other faults. */
export const faultCatalogue: readonly FaultDefinition[] = [...members, createStorm(members)]
