// The list of cases in, on paper: a table without a window to scroll.

import { count } from "../data/figures.js";
import { Text } from "../ui.jsx";
import { Cell } from "./cases_view.jsx";
import { chosenColumns } from "./columns.js";

const MOST = 2000;

export function PrintedCases({ run, state, list, columns, openCase, hrefOf }) {
  const names = chosenColumns(run, columns, state);
  const shown = columns.filter((column) => names.includes(column.name));
  return (
    <>
      <h1>Cases</h1>
      <p>
        {count(list.length)} of {count(run.entries.length)} shown
        {list.length > MOST && `; the first ${count(MOST)} are printed`}
      </p>
      <table class="cases printed">
        <thead>
          <tr>
            {shown.map((column) => (
              <th scope="col">
                <Text>{column.title}</Text>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {list.slice(0, MOST).map((entry) => (
            <tr>
              {shown.map((column) => (
                <Cell {...{ run, column, entry, openCase, hrefOf }} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
