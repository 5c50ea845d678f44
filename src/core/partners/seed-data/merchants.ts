/**
 * Identities of the merchants (ids, codes, names), synchronous and without libraries, so that a session can serve them
 * before their menus are built: the user's own, or made-up ones. The population has the same merchants, with their menus.
 * Both are the same for every seed: a service that has a store or an item in its database finds it again in the next
 * session.
 */
import { type Chance, createChance } from '../../engine/chance.ts'
import type { MerchantStatus } from '../../protocol/auth/merchants.ts'
import type { Menu } from './menus/menu.ts'
import type { OwnSeedData } from './own-seed-data.ts'
import { acaiteria } from './menus/acaiteria.ts'
import { hamburgueria } from './menus/hamburgueria.ts'
import { japonesa } from './menus/japonesa.ts'
import { marmitaria } from './menus/marmitaria.ts'
import { pizzaria } from './menus/pizzaria.ts'

/** All menus, one per cuisine, in the order in which merchants are assigned to them. */
export const menus = [
  hamburgueria,
  pizzaria,
  japonesa,
  acaiteria,
  marmitaria,
] as const satisfies readonly Menu[]

export interface MerchantIdentity {
  readonly id: string
  readonly externalCode: string
  readonly name: string
  /** OPEN when absent. */
  readonly status?: MerchantStatus
}

const defaultCount = 5

/** The seed of merchants and menus, whatever the seed of the session is. */
const merchantSeed = 42

/** What merchants and menus are drawn from. */
export const merchantChance = (): Chance => createChance(merchantSeed, 'population')

/** The user's own merchants, or the made-up ones. */
export const knownMerchants = (own: OwnSeedData): readonly MerchantIdentity[] =>
  own.merchants?.map(({ id, externalCode = id, name, status }) => ({
    id,
    externalCode,
    name,
    ...(status === 'OPEN' ? {} : { status }),
  })) ?? merchantIdentities()

/** The first `count` merchants; a greater count begins with the same ones. */
export const merchantIdentities = (count = defaultCount): readonly MerchantIdentity[] =>
  Array.from({ length: count }, (_, index) => {
    const externalCode = `LOJA-${String(index + 1).padStart(3, '0')}`
    return { id: merchantChance().fork(externalCode).uuid(), externalCode, name: nameOf(index) }
  })

/** Menus are assigned round-robin. */
export const menuOfMerchant = (index: number): Menu => menus[index % menus.length] ?? menus[0]

/** Names of a cuisine are assigned in order; when they run out, the merchant is a numbered branch of an earlier one. */
function nameOf(index: number): string {
  const { names } = menuOfMerchant(index)
  const turn = Math.floor(index / menus.length)
  const name = names[turn % names.length] ?? names[0]
  const branch = Math.floor(turn / names.length)
  return branch === 0 ? name : `${name} – Unidade ${branch + 1}`
}
