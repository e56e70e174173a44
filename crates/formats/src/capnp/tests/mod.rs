mod flat;
mod hostile;
mod layout;
mod trace;
mod values;
