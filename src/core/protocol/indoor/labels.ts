/**
 * Operation modes and consumption types. Identifiers are English; the legacy Portuguese labels are accepted and never
 * written (IND-ACC-02, IND-FLR-02).
 */
import { z } from 'zod'
import { joinAlternatives } from '../issue-text.ts'

export const operationModes = ['TABLE', 'TAB', 'COUNTER'] as const
export type OperationMode = (typeof operationModes)[number]

export const consumptionTypes = ['DINE_IN', 'TAKEAWAY'] as const
export type ConsumptionType = (typeof consumptionTypes)[number]

const legacyModes = { MESA: 'TABLE', COMANDA: 'TAB', BALCAO: 'COUNTER' } as const
const legacyConsumption = { CONSUMIR_NO_LOCAL: 'DINE_IN', LEVAR: 'TAKEAWAY' } as const

const keysOf = <Key extends string>(map: Readonly<Record<Key, unknown>>): Key[] =>
  Object.keys(map) as Key[]

const isLegacyMode = (label: string): label is keyof typeof legacyModes => label in legacyModes
const isLegacyConsumption = (label: string): label is keyof typeof legacyConsumption =>
  label in legacyConsumption

/** Recommends the English names alone. */
const mustBe = (names: readonly string[]) => ({
  error: () => `it must be ${joinAlternatives(names)}`,
})

/** An operation mode, by its English name or its legacy label. */
export const OperationMode = z
  .enum([...operationModes, ...keysOf(legacyModes)], mustBe(operationModes))
  .transform((label) => (isLegacyMode(label) ? legacyModes[label] : label))
  .pipe(z.enum(operationModes))

/** The consumption type, by its English name or its legacy label. */
export const ConsumptionType = z
  .enum([...consumptionTypes, ...keysOf(legacyConsumption)], mustBe(consumptionTypes))
  .transform((label) => (isLegacyConsumption(label) ? legacyConsumption[label] : label))
  .pipe(z.enum(consumptionTypes))
