/** The loyalty program and rewards of both servers, and the initial points of an account. */

export const benchProgram = { id: 'club', name: 'Clube' } as const

export const coffeeReward = {
  id: 'coffee',
  programId: benchProgram.id,
  name: 'Café',
  type: 'product',
  cost: 30,
} as const

export const unaffordableReward = {
  id: 'dinner',
  programId: benchProgram.id,
  name: 'Jantar',
  type: 'generic',
  cost: 1_000_000_000,
} as const

/** Enough for every coffee of a run, and for no dinner. */
export const initialPoints = 100_000_000
