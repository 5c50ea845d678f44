/**
 * The clauses of the protocol, by capability and subject: each family is numbered from 01 without gaps, and the last number
 * is written here.
 */
const lastClauses: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AUT: { CRE: 3, CUS: 2, GEN: 2, MER: 1, ORD: 1, SCO: 4, TEN: 3, TOK: 4, UND: 3 },
  CUS: {
    BND: 7,
    ERR: 7,
    EVO: 4,
    EVR: 2,
    EVT: 10,
    FLW: 8,
    GEN: 13,
    ING: 7,
    LED: 4,
    MAP: 4,
    OVR: 9,
    PAY: 5,
    RUL: 1,
    STA: 1,
    TEN: 6,
    UND: 8,
  },
  DIS: { CUS: 1, EVT: 1, FLD: 13, GEN: 2, IND: 4, LOG: 3, ORD: 4, TEN: 2, UND: 3, WKN: 8 },
  IND: {
    ACC: 3,
    EVR: 5,
    EVT: 11,
    FLD: 16,
    FLR: 2,
    GEN: 9,
    OPS: 12,
    PRM: 7,
    RUL: 8,
    TEN: 5,
    TRA: 4,
    UND: 6,
  },
  LIM: { CUS: 4, DIS: 1, UND: 3 },
  LOG: { CON: 5, EVT: 4, FLD: 9, GEN: 5, OPS: 8, RUL: 6, STA: 1, TEN: 2, TRA: 7, UND: 6 },
  LOY: { ACC: 4, EVR: 3, EVT: 8, FLW: 4, GEN: 2, MAP: 2, PRM: 4, REC: 6, RUL: 1, UND: 6 },
  MIG: { ACP: 1, CUS: 2, IND: 2, LOG: 1, MER: 6, MNU: 3, ORD: 11, TEN: 1, UND: 1, VER: 5 },
  ORD: {
    BOD: 5,
    CAN: 6,
    CHN: 2,
    EVF: 3,
    EVR: 8,
    EVT: 18,
    FLD: 18,
    FLO: 5,
    GEN: 9,
    ITM: 6,
    OPS: 11,
    RUL: 4,
    STA: 1,
    TEN: 3,
    TRA: 11,
    UND: 13,
  },
  REV: { BND: 1, EVT: 1, GEN: 1, MAP: 1, UND: 2 },
  TRN: { CON: 5, ERB: 2, GEN: 1, HDR: 4, STA: 12, TEN: 1, UND: 3 },
}

/** The ids of all clauses: ORD-TRA-01 … */
export const clauseIds: ReadonlySet<string> = new Set(
  Object.entries(lastClauses).flatMap(([capability, families]) =>
    Object.entries(families).flatMap(([family, last]) =>
      Array.from(
        { length: last },
        (_, index) => `${capability}-${family}-${String(index + 1).padStart(2, '0')}`,
      ),
    ),
  ),
)
