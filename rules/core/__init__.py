"""What every title stands on: requests, procedures, the referee, the record, chance, events and views."""
