/**
 * Default programs and rewards of a Loyalty host, synchronous and without libraries: a coalition club, and a card of the
 * first store, so that a customer of that store has two accounts. Costs are points; the rules of a program are out of
 * scope (LOY-GEN-02).
 */
import type { LoyaltyConduct } from '../../protocol/loyalty/conduct.ts'
import type { LoyaltySeeds, Program, Reward, RewardType } from '../../protocol/loyalty/program.ts'

const club = 'clube-da-cidade'
const card = 'cartao-da-casa'

const reward = (
  programId: string,
  [id, name, type, cost]: readonly [string, string, RewardType, number],
  value?: number,
): Reward => ({
  id: `${programId}-${id}`,
  programId,
  name,
  type,
  cost,
  available: true,
  // The value in BRL of the reward's coupon.
  ...(value === undefined ? {} : { metadata: { value, currency: 'BRL' } }),
})

const clubRewards: readonly Reward[] = [
  reward(club, ['entrega', 'Entrega grátis', 'shipping', 80], 8),
  reward(club, ['sobremesa', 'Sobremesa da casa', 'product', 100]),
  reward(club, ['cashback', 'R$ 15 de volta', 'cashback', 150], 15),
  reward(club, ['desconto', 'R$ 25 de desconto', 'generic', 240], 25),
]

const cardRewards: readonly Reward[] = [
  reward(card, ['refrigerante', 'Refrigerante', 'product', 50]),
  reward(card, ['prato', 'Prato do dia', 'product', 400]),
]

interface MerchantReference {
  readonly id: string
  readonly name: string
}

/** The configured programs and rewards, else the defaults. */
export function loyaltySeeds(
  [first]: readonly MerchantReference[],
  { programs, rewards }: Pick<LoyaltyConduct, 'programs' | 'rewards'>,
): LoyaltySeeds {
  const defaultPrograms: readonly Program[] = [
    { id: club, name: 'Clube da Cidade', ownerType: 'coalition', status: 'active' },
    ...(first
      ? [
          {
            id: card,
            name: `Cartão ${first.name}`,
            merchantId: first.id,
            ownerType: 'store' as const,
            status: 'active',
          },
        ]
      : []),
  ]
  const chosenPrograms = programs ?? defaultPrograms
  const known = new Set(chosenPrograms.map(({ id }) => id))
  return {
    programs: chosenPrograms,
    // A reward of an unknown program could never be redeemed.
    rewards: (rewards ?? [...clubRewards, ...cardRewards]).filter(({ programId }) =>
      known.has(programId),
    ),
  }
}
