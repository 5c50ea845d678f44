/** Schema of a scenario: for files, the library and editors (`sparring schema scenario`). */
import { z } from 'zod'
import {
  channelNames,
  Configuration,
  type ConfigurationInput,
} from '../session-api/configuration/schema.ts'
import { clockModes } from '../session-api/session-info.ts'
import { MenuList, OwnMerchantList } from '../session-api/configuration/menu.ts'
import { Expect } from './expect.ts'
import { ScenarioStep } from './steps.ts'
import { ScenarioOrder } from './shared-shapes.ts'
import { DialectSetting } from '../protocol/dialects/own-dialect.ts'
import { jsonData } from '../protocol/json-value.ts'
import { roles } from '../protocol/role.ts'
import { strictObject } from '../base/lazy-object.ts'
import { oneWord } from '../protocol/setting.ts'

const { shape } = Configuration

/** Roles that a subject may play; `none`: we play every role. */
export const scenarioSubjects = [...roles, 'none'] as const

const Session = strictObject(() => ({
  counterparts: shape.counterparts.optional().describe('as in a configuration'),
  conduct: shape.conduct.optional().describe('as in a configuration'),
  tolerances: shape.tolerances.optional().describe('as in a configuration'),
  capabilities: shape.capabilities.optional().describe('as in a configuration'),
  protocol: shape.protocol.optional().describe('as in a configuration'),
  merchants: OwnMerchantList.optional().describe('as in a configuration, without files'),
  menu: MenuList.optional().describe('as in a configuration, without files'),
  dialect: DialectSetting.optional().describe('as in a configuration, without files'),
  origin: shape.origin,
}))

const Faults = z.array(jsonData())

export const Scenario = strictObject(() => ({
  name: z.string().min(1).max(200).describe('a short sentence: what it shows'),
  about: z.string().min(1).describe('one sentence more: what happens, and what must come of it'),
  clauses: z
    .array(z.string().regex(/^[A-Z]{3}-[A-Z0-9]{3}-\d{2}$/, 'is no clause, such as ORD-GEN-02'))
    .default([])
    .describe('the clauses of the protocol that it is about'),
  subject: oneWord(scenarioSubjects, 'software-service').describe(
    'the role that your service plays; none: we play every role',
  ),
  channel: z
    .enum(channelNames)
    .optional()
    .describe('how events are handed over: polling, webhook or both (polling, when absent)'),
  clock: z
    .enum(clockModes)
    .optional()
    .describe(
      'how time passes where no service of yours has a clock of its own: virtual, when absent',
    ),
  seed: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('what everything that is made up grows from; leave it out unless it matters'),
  session: Session.prefault({}).describe(
    'what the session is told, as in a configuration; what it does not say is as usual: no capability but orders, CONCLUDED after two seconds, and no deliveries but those of your service',
  ),
  faults: Faults.default([]).describe(
    'what goes wrong from the beginning: faults by name with their options, or names of profiles',
  ),
  orders: z
    .record(z.string(), ScenarioOrder)
    .default({})
    .describe('the orders by their slots: o1 is the first one that is placed, o2 the second'),
  steps: z.array(ScenarioStep).default([]).describe('what happens, one thing after the other'),
  expect: Expect.prefault({}).describe('what must be so in the end'),
  examples: z
    .array(z.looseObject({ name: z.string().min(1) }))
    .min(1)
    .optional()
    .describe(
      'a table: the scenario is played once for each row, with ${…} replaced by its values',
    ),
  variants: z
    .strictObject({
      channels: z
        .array(z.enum(channelNames))
        .min(2)
        .optional()
        .describe('played once by each; all must end the same (CV-12)'),
      faults: z
        .array(Faults)
        .min(2)
        .optional()
        .describe(
          'played once with each of these in place of `faults`; all must end the same (CV-11)',
        ),
      seeds: z.array(z.int().min(0)).min(2).optional().describe('played once with each seed'),
    })
    .prefault({})
    .describe('the same scenario in several ways, which are held against each other'),
  proof: z
    .array(
      z.strictObject({
        defect: z
          .string()
          .min(1)
          .describe('a mistake that the reference subject can be told to make'),
        breaks: z.string().min(1).describe('the invariant that must catch it'),
      }),
    )
    .default([])
    .describe(
      'read by the tests of this repository alone: what shows that the scenario catches something',
    ),
}))

/** Session settings as written, without schema defaults, so that they merge over a configuration. */
export type ScenarioSession = Pick<
  ConfigurationInput,
  | 'counterparts'
  | 'conduct'
  | 'tolerances'
  | 'capabilities'
  | 'protocol'
  | 'merchants'
  | 'menu'
  | 'dialect'
  | 'origin'
>

export type Scenario = Omit<z.output<typeof Scenario>, 'session'> & {
  readonly session: ScenarioSession
}
/** A scenario as written, in a file or in code. */
export type ScenarioInput = z.input<typeof Scenario>
