mod hostile;
mod layout;
mod values;
