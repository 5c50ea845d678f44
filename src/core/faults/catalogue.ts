/** The fault catalogue: all faults, one line each. */
import type { FaultDefinition, FaultTrait } from './fault.ts'
import { ackLag, batch } from './poll-answers.ts'
import { bothChannels, duplicate, duplicateLate, flood, redeliver } from './redelivered-events.ts'
import {
  contradictoryTime,
  illegalTransition,
  unknownEvent,
  unknownField,
} from './unusual-events.ts'
import { crash } from './crash.ts'
import { delay, drop, dropThenDeliver, reorder } from './late-events.ts'
import { noEffect, slowEffect } from './call-effects.ts'
import { createStorm } from './storm.ts'
import { fail } from './fail.ts'
import { oddOrder } from './odd-order.ts'
import { ghost } from './ghost.ts'
import { rateLimit, refuse, tokenOutage, unauthorized } from './refusals.ts'
import { dropResponse, hang, reset, slowBody, slowResponse, truncate } from './wire-faults.ts'
import { evolve, unusualResponse } from './unusual-response.ts'
import { wrongSignature } from './wrong-signature.ts'

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
  evolve,
  wrongSignature,
  dropResponse,
  illegalTransition,
  flood,
  ghost,
]

/** `storm` draws from all faults of messages: only who started a service can end it, and orders are no messages. */
export const faultCatalogue: readonly FaultDefinition[] = [
  ...members,
  oddOrder,
  crash,
  createStorm(members),
]

const byName: ReadonlyMap<string, FaultDefinition> = new Map(
  faultCatalogue.map((fault) => [fault.name, fault]),
)

/** Undefined for a fault that no catalogue has any more: it may stand in an old file. */
export const faultByName = (name: string): FaultDefinition | undefined => byName.get(name)

export const hasTrait = ({ name }: { readonly name: string }, trait: FaultTrait): boolean =>
  faultByName(name)?.traits?.includes(trait) ?? false
